import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { LoadFailed, PendingPage } from './LoadStates.tsx';

export type ListColumn = {
  label: string;
  /** The class of its width on wide screens; the first column takes the rest. */
  width?: string;
  isFigure?: boolean;
};

type PagedListProps<Page, Item> = {
  caption: string;
  columns: readonly ListColumn[];
  query: UseInfiniteQueryResult<InfiniteData<Page>>;
  itemsOf: (page: Page) => readonly Item[];
  /** Whether everything is known that changes the height of rows. */
  isReady: boolean;
  failedTitle: string;
  empty: ReactNode;
  footer: ReactNode;
  /** One row of the table: cells in columns on a wide screen, a card on a small one. */
  children: (item: Item) => ReactNode;
};

export function PagedList<Page, Item>(props: PagedListProps<Page, Item>) {
  const { query, itemsOf, isReady, failedTitle, empty, footer, children, ...head } = props;
  if (query.isPending || (query.data && !isReady)) return <PendingPage />;
  if (!query.data) {
    return (
      <LoadFailed title={failedTitle} retry={query.refetch}>
        {query.error.message}
      </LoadFailed>
    );
  }
  const items = query.data.pages.flatMap(itemsOf);
  if (items.length === 0) return empty;
  return (
    <div className="grid gap-4">
      <div className="sheet overflow-hidden">
        <table className="nums w-full text-14 max-lg:block lg:table-fixed">
          <Head {...head} />
          <tbody className="max-lg:block">{items.map(children)}</tbody>
        </table>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        {footer}
        {query.hasNextPage && (
          <Button onClick={() => void query.fetchNextPage()} isBusy={query.isFetchingNextPage}>
            Load more
          </Button>
        )}
      </div>
    </div>
  );
}

function Head({ caption, columns }: { caption: string; columns: readonly ListColumn[] }) {
  return (
    <>
      <caption className="sr-only">{caption}</caption>
      <thead className="max-lg:sr-only">
        <tr className="border-b text-left text-13 text-ink-3 [&>th]:font-normal">
          {columns.map(({ label, width, isFigure }) => (
            <th
              key={label}
              scope="col"
              className={clsx(
                'px-2 py-2.5 first:pl-4 last:pr-4 xl:px-3',
                width,
                isFigure && 'text-right',
              )}
            >
              {label}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}

/** The style of a row: a card of two columns, of one if type is large, or table cells. */
export const LIST_ROW =
  'relative border-b last:border-b-0 hover:bg-sunken max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:items-baseline max-lg:gap-x-4 max-lg:gap-y-1 max-lg:px-4 max-lg:py-3 max-[20rem]:grid-cols-[minmax(0,1fr)] max-[20rem]:[&>*]:col-auto! max-[20rem]:[&>*]:row-auto! max-[20rem]:[&>*]:text-left! lg:[&>*]:px-2 lg:[&>*]:py-3 lg:[&>*:first-child]:pl-4 lg:[&>*:last-child]:pr-4 xl:[&>*]:px-3';
