import clsx from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { PageLink } from '#components/ui/PageLink.tsx';
import { nextSorting, type PositionSort } from '#lib/portfolio/positionOrder.ts';
import { columnTitle, type PortfolioFilter, portfolioHref } from './portfolioFilter.ts';

/** The table's columns as they stand; the menu of a phone has the usual one first instead. */
const COLUMNS: readonly PositionSort[] = ['name', 'contracts', 'cost', 'now', 'value', 'profit'];

/** Where there is room, columns are as wide in every list, so that figures stand below each other. */
const WIDTHS: Record<PositionSort, string> = {
  name: 'md:w-2/5 lg:w-[36%]',
  contracts: 'lg:w-[10%]',
  cost: 'lg:w-[12%]',
  now: 'lg:w-[9%]',
  value: 'lg:w-[10%]',
  profit: 'lg:w-[13%]',
};

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;

/** Heads of the held positions: links that sort by their column, and the other way round after that. */
export function SortHeads({ filter }: { filter: PortfolioFilter }) {
  return (
    <>
      {COLUMNS.map((sort) => (
        <SortHead key={sort} sort={sort} filter={filter} />
      ))}
      <th scope="col">
        <span className="sr-only">Actions</span>
      </th>
    </>
  );
}

function SortHead({ sort, filter }: { sort: PositionSort; filter: PortfolioFilter }) {
  const isCurrent = filter.sort === sort;
  const next = nextSorting(filter, sort);
  // What is not sorted by this column shows, when pointed at, what a press would do.
  const Arrow = (isCurrent ? filter : next).order === 'asc' ? ArrowUp : ArrowDown;
  const title = columnTitle(sort);
  return (
    <th
      scope="col"
      aria-sort={isCurrent ? ARIA_SORT[filter.order] : undefined}
      className={WIDTHS[sort]}
    >
      {/* Heads are there for the ear only on a phone, where the menu sorts. */}
      <span className="md:hidden">{title}</span>
      <PageLink
        scroll={false}
        href={portfolioHref(filter, next)}
        className={clsx(
          'group flex h-11 items-center gap-1 px-2 hover:text-ink focus-visible:-outline-offset-2 max-md:hidden lg:whitespace-nowrap lg:px-4',
          // The arrow stands before the word where the figures below end with it.
          sort === 'name' ? 'pl-4' : 'flex-row-reverse text-right',
          isCurrent && 'font-medium text-ink',
        )}
      >
        {title}
        <Arrow
          aria-hidden
          className={clsx(
            'size-3.5 shrink-0',
            !isCurrent && 'opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100',
          )}
        />
      </PageLink>
    </th>
  );
}
