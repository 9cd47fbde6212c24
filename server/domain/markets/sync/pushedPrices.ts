import type { PriceChange } from './livePrices.ts';

/** Pushed prices until they are written. Times are those of `performance.now()`. */
export type PushedPrices = {
  add(change: PriceChange): void;
  /** The newest price of each market since the last call. */
  take(): PriceChange[];
  /**
   * Markets with prices after a given time, whose pages requested then may be stale. Times before
   * the last `forgetBefore` are unknown.
   */
  pushedSince(moment: number): Set<string>;
  /** No pending write was requested before this time. */
  deleteBefore(moment: number): void;
};

export function createPushedPrices(now: () => number = () => performance.now()): PushedPrices {
  let fresh = new Map<string, PriceChange>();
  /** Arrival time of each market's last price, the longest waiting first. */
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
