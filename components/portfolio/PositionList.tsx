import clsx from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { PageLink } from '#components/ui/PageLink.tsx';
import { cents, centsRounded, contracts, dollars } from '#lib/format/money.ts';
import { nextSorting, type PositionSort } from '#lib/portfolio/positionOrder.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';
import { Amount, PnL } from './Amount.tsx';
import { PositionAction } from './PositionAction.tsx';
import { PositionCell, PositionRow, PositionRows, PositionTable } from './PositionTable.tsx';
import { columnTitle, type PortfolioFilter, portfolioHref } from './portfolioFilter.ts';

type PositionListProps = { title: string; positions: PositionView[]; filter: PortfolioFilter };

export function PositionList({ title, positions, filter }: PositionListProps) {
  return (
    <PositionTable title={title} heads={<SortHeads filter={filter} />}>
      <PositionRows>
        {positions.map((position) => (
          <HeldRow key={position.tokenId} position={position} />
        ))}
      </PositionRows>
    </PositionTable>
  );
}

type HeldRowProps = { position: PositionView; words?: { name: string; subtitle: string } };

export function HeldRow({ position, words }: HeldRowProps) {
  return (
    <PositionRow
      position={{ ...position, ...words }}
      note={
        position.status !== 'settled' && (
          <>
            max payout <Amount>{dollars(position.contractMicros)}</Amount>
          </>
        )
      }
    >
      <PositionCell label="Contracts">
        <Amount>{contracts(position.contractMicros)}</Amount>
      </PositionCell>
      <PositionCell label="Avg cost">
        {position.averageCostMicros === null ? '–' : centsRounded(position.averageCostMicros)}
      </PositionCell>
      <PositionCell label={position.status === 'settled' ? 'Payout' : 'Price'}>
        {position.isUnpriced ? '–' : cents(position.priceMicros)}
        {position.isLastPrice && (
          <span className="block whitespace-nowrap text-12 text-ink-3">last price</span>
        )}
      </PositionCell>
      <PositionCell label="Value">
        {position.isUnpriced ? '–' : <Amount>{dollars(position.valueMicros)}</Amount>}
      </PositionCell>
      <PositionCell label="P&L">
        <PnL {...position} />
      </PositionCell>
      <td className="py-3 pr-4 pl-2 text-right lg:pl-4 max-md:self-end max-md:p-0">
        <PositionAction position={position} />
      </td>
    </PositionRow>
  );
}

/** The table's columns in order; the phone's menu has the default one first instead. */
const COLUMNS: readonly PositionSort[] = ['name', 'contracts', 'cost', 'now', 'value', 'profit'];

/** On wide screens columns have equal widths in every list, so that figures align. */
const WIDTHS: Record<PositionSort, string> = {
  name: 'md:w-2/5 lg:w-[36%]',
  contracts: 'lg:w-[10%]',
  cost: 'lg:w-[12%]',
  now: 'lg:w-[9%]',
  value: 'lg:w-[10%]',
  profit: 'lg:w-[13%]',
};

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;

/** Column heads of the held positions: links that sort by their column, then reverse the order. */
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
  // Unsorted columns show on hover what a press would do.
  const Arrow = (isCurrent ? filter : next).order === 'asc' ? ArrowUp : ArrowDown;
  const title = columnTitle(sort);
  return (
    <th
      scope="col"
      aria-sort={isCurrent ? ARIA_SORT[filter.order] : undefined}
      className={WIDTHS[sort]}
    >
      {/* On a phone only screen readers get the heads; the menu sorts there. */}
      <span className="md:hidden">{title}</span>
      <PageLink
        scroll={false}
        href={portfolioHref(filter, next)}
        className={clsx(
          'group flex h-11 items-center gap-1 px-2 hover:text-ink focus-visible:-outline-offset-2 max-md:hidden lg:whitespace-nowrap lg:px-4',
          // The arrow precedes the label of right-aligned columns.
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
