import type { PriceChange } from './livePrices.ts';

/** Prices that were announced, until they are written. */
export type PushedPrices = {
  add(change: PriceChange): void;
  /** What came since it was last asked; the newest of each market. */
  take(): PriceChange[];
  /**
   * The same, while the whole list is read: asked after each page. Pages that were fetched before
   * some of it came take that back when they are written, so it is told again after each of them.
   */
  takeBetweenPages(): PriceChange[];
  /** Another reading begins: none of its pages is older than what was told so far. */
  beginReading(): void;
};

/** @param pagesAhead how many pages may have been fetched before what is told between two */
export function createPushedPrices(pagesAhead: number): PushedPrices {
  let fresh = new Map<string, PriceChange>();
  /** What was told after the last pages, the latest first. */
  let told: Map<string, PriceChange>[] = [];

  function takeFresh(): Map<string, PriceChange> {
    const taken = fresh;
    fresh = new Map();
    return taken;
  }

  return {
    add: (change) => fresh.set(change.ticker, change),
    take: () => [...takeFresh().values()],
    takeBetweenPages() {
      const taken = takeFresh();
      const inOrder = [...told.toReversed(), taken].flatMap((some) => [...some]);
      told = [taken, ...told].slice(0, pagesAhead);
      return [...new Map(inOrder).values()];
    },
    beginReading() {
      told = [];
    },
  };
}
