import type { PriceChange } from './livePrices.ts';

/** Prices that were announced, until they are written. Moments are those of `performance.now()`. */
export type PushedPrices = {
  add(change: PriceChange): void;
  /** What came since it was last asked; the newest of each market. */
  take(): PriceChange[];
  /**
   * Markets of which prices came after a moment: what was asked for then may be older. Moments
   * before the last one that was forgotten are not known any more.
   */
  pushedSince(moment: number): Set<string>;
  /** Nothing that is still to be written was asked for before this moment. */
  deleteBefore(moment: number): void;
};

export function createPushedPrices(now: () => number = () => performance.now()): PushedPrices {
  let fresh = new Map<string, PriceChange>();
  /** When the last price of each market came, the one that has waited longest first. */
  const cameAt = new Map<string, number>();

  return {
    add(change) {
      fresh.set(change.ticker, change);
      cameAt.delete(change.ticker);
      cameAt.set(change.ticker, now());
    },
    take() {
      const taken = fresh;
      fresh = new Map();
      return [...taken.values()];
    },
    pushedSince(moment) {
      const since = new Set<string>();
      for (const [ticker, at] of cameAt) if (at >= moment) since.add(ticker);
      return since;
    },
    deleteBefore(moment) {
      for (const [ticker, at] of cameAt) {
        if (at >= moment) return;
        cameAt.delete(ticker);
      }
    },
  };
}
