import type { Subscriber } from './subscriber.ts';

/** Who follows which market. */
export function createFollowers() {
  const byTicker = new Map<string, Set<Subscriber>>();
  return {
    add(subscriber: Subscriber): void {
      for (const ticker of subscriber.subscription.tickers) {
        const known = byTicker.get(ticker);
        if (known) known.add(subscriber);
        else byTicker.set(ticker, new Set([subscriber]));
      }
    },
    remove(subscriber: Subscriber): void {
      for (const ticker of subscriber.subscription.tickers) {
        const left = byTicker.get(ticker);
        left?.delete(subscriber);
        if (left?.size === 0) byTicker.delete(ticker);
      }
    },
    has: (ticker: string) => byTicker.has(ticker),
    of: (ticker: string): Iterable<Subscriber> => byTicker.get(ticker) ?? [],
    tickers: () => [...byTicker.keys()],
  };
}
