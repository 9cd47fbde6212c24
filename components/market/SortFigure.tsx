import { duration } from '#lib/format/duration.ts';
import { contractsShort, dollarsShort } from '#lib/format/money.ts';
import { changePoints, type EventView, type ListedEvent } from '#lib/market/marketView.ts';
import type { ListFilter } from './listFilter.ts';
import { PriceChange } from './PriceChange.tsx';

type SortFigureProps = { sort: ListFilter['sort']; event: ListedEvent; renderedAtMs: number };

/** The figure that a list is sorted by, as a card and a row on a phone show it. */
export function SortFigure({ sort, event, renderedAtMs }: SortFigureProps) {
  switch (sort) {
    case 'trending':
      return `${contractsShort(event.volume24hContractMicros)} contracts in 24 h`;
    case 'movers':
      return <BiggestMove event={event} />;
    case 'closing': {
      const endsAt = nextEnd(event);
      if (endsAt === undefined) return <Traded event={event} />;
      return endsAt > renderedAtMs ? `Ends in ${duration(endsAt - renderedAtMs)}` : 'Ending now';
    }
    case 'newest':
      return ageOf(event, renderedAtMs);
    case 'liquidity':
      return `${dollarsShort(event.liquidityUsdcMicros)} in the book`;
  }
}

export function Traded({ event }: { event: EventView }) {
  return `${contractsShort(event.volumeContractMicros)} contracts traded`;
}

type SortColumn = { title: string; value: (event: ListedEvent, renderedAtMs: number) => string };

const TRADED: SortColumn = {
  title: 'Traded',
  value: (event) => contractsShort(event.volumeContractMicros),
};

/** The column of a table for the same figure, where the others do not show it yet. */
export const SORT_COLUMNS: Record<ListFilter['sort'], SortColumn> = {
  trending: {
    title: 'Traded, 24 h',
    value: (event) => contractsShort(event.volume24hContractMicros),
  },
  movers: TRADED,
  closing: TRADED,
  newest: {
    title: 'Opened',
    value: (event, renderedAtMs) => ageOf(event, renderedAtMs).replace('Opened ', ''),
  },
  liquidity: { title: 'In the book', value: (event) => dollarsShort(event.liquidityUsdcMicros) },
};

function BiggestMove({ event }: { event: ListedEvent }) {
  const size = (points: number | null) => Math.abs(points ?? 0);
  const [most] = [...event.markets].sort((a, b) => size(changePoints(b)) - size(changePoints(a)));
  if (!most) return null;
  return (
    <>
      {event.marketCount > 1 && `${most.label} `}
      <PriceChange points={changePoints(most)} /> <span aria-hidden>in 24 h</span>
    </>
  );
}

function nextEnd(event: ListedEvent): number | undefined {
  const ends = event.markets
    .filter(({ status }) => status === 'open')
    .map(({ expectedEndTime }) => Date.parse(expectedEndTime));
  return ends.length === 0 ? undefined : Math.min(...ends);
}

function ageOf({ newestOpenTime }: ListedEvent, renderedAtMs: number): string {
  if (newestOpenTime === undefined) return '';
  const age = renderedAtMs - Date.parse(newestOpenTime);
  return age < 0 ? `Opens in ${duration(-age)}` : `Opened ${duration(age)} ago`;
}
