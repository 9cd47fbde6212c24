'use client';

import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { EmptyState } from './EmptyState.tsx';
import { Spinner } from './Spinner.tsx';

type PagedListProps<Page, Item> = {
  query: UseInfiniteQueryResult<InfiniteData<Page>>;
  /** What a page holds. */
  itemsOf: (page: Page) => readonly Item[];
  /** What it says when the first page did not come. */
  failedTitle: string;
  /** In place of a list of nothing. */
  empty: ReactNode;
  /** On the button that asks for what came before. */
  moreLabel: string;
  /** Beside that button. */
  footer: ReactNode;
  /** One line of the list. */
  children: (item: Item) => ReactNode;
};

/** A list that comes in pages, the newest first, through all its states. */
export function PagedList<Page, Item>(props: PagedListProps<Page, Item>) {
  const { query, itemsOf, failedTitle, empty, moreLabel, footer, children } = props;
  if (query.isPending) return <div className="skeleton h-64" role="status" aria-label="Loading" />;
  if (!query.data) {
    return (
      <EmptyState
        title={failedTitle}
        action={<Button onClick={() => void query.refetch()}>Try again</Button>}
      >
        {query.error.message}
      </EmptyState>
    );
  }
  const items = query.data.pages.flatMap(itemsOf);
  if (items.length === 0) return empty;
  return (
    <div className="grid gap-4">
      <ul className="sheet divide-y">{items.map(children)}</ul>
      <div className="flex flex-wrap items-center justify-between gap-3">
        {footer}
        {query.hasNextPage && (
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {query.isFetchingNextPage && <Spinner />}
            {moreLabel}
          </Button>
        )}
      </div>
    </div>
  );
}
