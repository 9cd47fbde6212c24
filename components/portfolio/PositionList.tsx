import clsx from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useDistinctions } from '#components/order/useDistinctions.ts';
import { SharePosition } from '#components/share/SharePosition.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import {
  cents,
  centsRounded,
  contractsRounded,
  dollarsDown,
  dollarsSigned,
} from '#lib/format/money.ts';
import { positionName, sideWord } from '#lib/market/outcomeName.ts';
import { nextSorting, type PositionSort } from '#lib/portfolio/positionOrder.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';
import { Amount, PnL } from './Amount.tsx';
import { MergePairs } from './MergePairs.tsx';
import { PositionAction } from './PositionAction.tsx';
import { columnTitle, type PortfolioFilter, portfolioHref } from './portfolioFilter.ts';

type PositionListProps = { title: string; positions: PositionView[]; filter: PortfolioFilter };

export function PositionList({ title, positions, filter }: PositionListProps) {
  const distinctions = useDistinctions(
    positions.map(({ marketId, name, subtitle }) => ({
      ticker: marketId,
      title: [name, subtitle].join(' · '),
    })),
  );
  return (
    <PositionTable title={title} heads={<SortHeads filter={filter} />}>
      <PositionRows>
        {positions.map((position) => (
          <HeldRow
            key={position.tokenId}
            position={position}
            distinction={distinctions.get(position.marketId)}
          />
        ))}
      </PositionRows>
    </PositionTable>
  );
}

type HeldRowProps = {
  position: PositionView;
  words?: { name: string; subtitle: string };
  /** What tells its market apart from others of the list with its name. */
  distinction?: string | undefined;
};

export function HeldRow({ position, words, distinction }: HeldRowProps) {
  const named = { ...position, ...words };
  const subtitle = [named.subtitle, distinction].filter(Boolean).join(' · ');
  return (
    <PositionRow
      position={{ ...named, subtitle }}
      note={
        <>
          {position.status !== 'settled' && (
            <>
              max payout <Amount>{dollarsDown(position.contractMicros)}</Amount>
            </>
          )}
          {position.realisedMicros !== 0n && (
            <>
              {position.status !== 'settled' && ' · '}
              realized <Amount>{dollarsSigned(position.realisedMicros)}</Amount>
            </>
          )}
          {/* Once for both rows of a market. */}
          {position.side === 'yes' && <MergePairs marketId={position.marketId} className="mt-1" />}
        </>
      }
    >
      <PositionCell label="Contracts">
        <Amount>{contractsRounded(position.contractMicros)}</Amount>
      </PositionCell>
      <PositionCell label="Avg cost">
        {position.averageCostMicros === null ? '–' : centsRounded(position.averageCostMicros)}
      </PositionCell>
      <PositionCell label={position.status === 'settled' ? 'Payout' : 'Price'}>
        {hasNoPrice(position) ? '–' : cents(position.priceMicros)}
        {position.isLastPrice && (
          <span className="block whitespace-nowrap text-12 text-ink-3">last price</span>
        )}
      </PositionCell>
      <PositionCell label="Value">
        {position.isUnpriced ? '–' : <Amount>{dollarsDown(position.valueMicros)}</Amount>}
      </PositionCell>
      <PositionCell label="P&L">
        <PnL {...position} />
      </PositionCell>
      <td className="py-3 pr-4 pl-2 text-right lg:pl-4 max-md:self-end max-md:p-0">
        <span className="flex items-center justify-end gap-1">
          <ShareHeld position={position} />
          <PositionAction position={position} />
        </span>
      </td>
    </PositionRow>
  );
}

function ShareHeld({ position }: { position: PositionView }) {
  const { marketId, side, name, averageCostMicros, contractMicros } = position;
  return (
    <SharePosition
      ticker={marketId}
      label={`Share ${sideWord(side)} · ${name}`}
      position={{
        side,
        kind: 'held',
        priceMicros: averageCostMicros ?? undefined,
        contractMicros,
      }}
    />
  );
}

/** Without a bid, or without any price after trading has ended. */
function hasNoPrice({ status, priceMicros, isUnpriced }: PositionView): boolean {
  return isUnpriced || (status !== 'settled' && priceMicros === 0n);
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

type PositionTableProps = { title: string; heads: ReactNode; children: ReactNode };

/** Positions as table rows; on a phone each is a block of labelled figures. */
export function PositionTable({ title, heads, children }: PositionTableProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 font-semibold text-17">
        {title}
      </h2>
      <div className="sheet overflow-hidden">
        <table className="nums w-full text-14 max-md:block lg:table-fixed">
          <thead className="max-md:sr-only">
            <tr className="border-b text-left text-13 text-ink-3 [&>th]:font-normal">{heads}</tr>
          </thead>
          {children}
        </table>
      </div>
    </section>
  );
}

/** Heads of columns that cannot be sorted. */
export function PlainHeads({ columns }: { columns: readonly string[] }) {
  return ['Market', ...columns].map((column) => (
    <th
      key={column}
      scope="col"
      className="px-2 py-2.5 text-right first:pl-4 first:text-left last:pr-4 lg:px-4 lg:first:w-[36%]"
    >
      {column}
    </th>
  ));
}

export function PositionRows({ children }: { children: ReactNode }) {
  return <tbody className="max-md:block [&+tbody]:border-t">{children}</tbody>;
}

type HeldPosition = { marketId: string; name: string; subtitle: string; side: 'yes' | 'no' };

/** One position: its market and its cells; on a phone a block. */
export function PositionRow({
  position,
  note,
  children,
}: {
  position: HeldPosition;
  note?: ReactNode;
  children: ReactNode;
}) {
  return (
    <tr className="border-b last:border-b-0 max-md:grid max-md:grid-cols-3 max-[19rem]:grid-cols-2 max-md:items-start max-md:gap-x-3 max-md:gap-y-2.5 max-md:px-4 max-md:py-4">
      <PositionName position={position} note={note} />
      {children}
    </tr>
  );
}

/** A figure in its column; on a phone the column's head is above it. */
export function PositionCell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <td className="px-2 py-3 text-right lg:px-4 md:last:pr-4 max-md:block max-md:p-0 max-md:text-left">
      <span aria-hidden className="block text-13 text-ink-3 md:hidden">
        {label}
      </span>
      <span>{children}</span>
    </td>
  );
}

/** The head of a row: the outcome in full, then the question, which may be cut. */
function PositionName({ position, note }: { position: HeldPosition; note: ReactNode }) {
  const { subject, question } = positionName(position);
  return (
    <th
      scope="row"
      className="max-w-[23.75rem] px-4 py-3 text-left font-normal max-md:col-span-full max-md:max-w-none max-md:p-0"
    >
      <PageLink
        href={`/markets/${position.marketId}`}
        className="tap wrap-anywhere block font-medium hover:underline hover:underline-offset-4"
      >
        <span className={position.side === 'yes' ? 'text-yes' : 'text-no'}>
          {sideWord(position.side)}
        </span>
        {` · ${subject}`}
      </PageLink>
      {question && <span className="line-clamp-2 text-13 text-ink-3">{question}</span>}
      {note && <div className="text-13 text-ink-3">{note}</div>}
    </th>
  );
}
