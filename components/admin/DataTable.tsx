import type { ReactNode } from 'react';

type DataTableProps = {
  label: string;
  head: readonly string[];
  /** Shown in place of a table without rows. */
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

export function Cell({ children, nums }: { children: ReactNode; nums?: boolean }) {
  return (
    <td className={`px-4 py-2.5 align-top ${nums ? 'nums whitespace-nowrap' : ''}`}>{children}</td>
  );
}
