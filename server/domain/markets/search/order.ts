import type { SearchSort } from '../catalogue/types.ts';
import type { EventFigures } from './searchIndex.ts';

/** The larger figure sorts first. */
const FIGURES: Record<SearchSort, (doc: EventFigures) => number> = {
  querymatch: (doc) => doc.volume,
  trending: (doc) => doc.volume24h,
  volume: (doc) => doc.volume,
  liquidity: (doc) => doc.liquidity,
  newest: (doc) => doc.newestAt ?? Number.MIN_SAFE_INTEGER,
  closing: (doc) => -(doc.closesNextAt ?? Number.MAX_SAFE_INTEGER),
};

type Sorted = EventFigures & { ticker: string };

/** Compares two events by their figures; negative when the first sorts before the second. */
export function compareBy(sort: SearchSort): (one: Sorted, other: Sorted) => number {
  const figure = FIGURES[sort];
  return (one, other) =>
    figure(other) - figure(one) ||
    other.volume - one.volume ||
    (one.ticker < other.ticker ? -1 : 1);
}
