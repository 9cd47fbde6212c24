import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { Notice } from '#components/ui/Notice.tsx';

type DataTableProps = {
  label: string;
  head: readonly string[];
  empty: string;
  children: ReactNode[];
};

/** A table that scrolls sideways on narrow screens, by keyboard too. */
export function DataTable({ label, head, empty, children }: DataTableProps) {
  if (children.length === 0) return <p className="sheet px-4 py-6 text-ink-2">{empty}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="sheet relative overflow-x-auto" aria-label={label} tabIndex={0}>
      <table className="w-full text-left text-14">
        <thead>
          <tr className="border-b">
            {head.map((name) => (
              <th
                key={name}
                scope="col"
                className="whitespace-nowrap px-4 py-2.5 font-medium text-13 text-ink-3"
              >
                {name === 'Actions' ? <span className="sr-only">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">{children}</tbody>
      </table>
    </section>
  );
}

type QueryTableProps<Reply> = Omit<DataTableProps, 'children'> & {
  query: UseQueryResult<Reply>;
  children: (response: Reply) => ReactNode[];
};

export function QueryTable<Reply>({ query, children, ...table }: QueryTableProps<Reply>) {
  return (
    <QueryResult query={query}>
      {(data) => <DataTable {...table}>{children(data)}</DataTable>}
    </QueryResult>
  );
}

export function ActionCell({ children }: { children: ReactNode }) {
  return (
    <Cell>
      <div className="flex justify-end gap-2">{children}</div>
    </Cell>
  );
}

export function Cell({ children, nums }: { children: ReactNode; nums?: boolean }) {
  return (
    <td className={`px-4 py-2.5 align-top ${nums ? 'nums whitespace-nowrap' : ''}`}>{children}</td>
  );
}

type QueryResultProps<Reply> = {
  query: UseQueryResult<Reply>;
  children: (response: Reply) => ReactNode;
};

/** The result of a query; while it loads, its shape, and after a failure, the reason. */
export function QueryResult<Reply>({ query, children }: QueryResultProps<Reply>) {
  if (query.data !== undefined) {
    return (
      <>
        {query.isError && (
          <Notice tone="caution">
            Could not refresh: {query.error.message} Showing the last known data.
          </Notice>
        )}
        {children(query.data)}
      </>
    );
  }
  if (query.isError) {
    return (
      <Notice
        tone="problem"
        title="This could not be loaded"
        live
        action={
          <Button size="s" onClick={() => void query.refetch()}>
            Try again
          </Button>
        }
      >
        {query.error.message}
      </Notice>
    );
  }
  return <div className="skeleton h-48" role="status" aria-label="Loading" />;
}
