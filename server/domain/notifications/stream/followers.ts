/** The readers of each market. */
export function createFollowers<Reader>() {
  const byTicker = new Map<string, Set<Reader>>();
  return {
    /** Returns whether the reader is new to the market. */
    add(reader: Reader, ticker: string): boolean {
      const known = byTicker.get(ticker);
      if (known?.has(reader)) return false;
      if (known) known.add(reader);
      else byTicker.set(ticker, new Set([reader]));
      return true;
    },
    /** Returns whether the reader followed the market. */
    remove(reader: Reader, ticker: string): boolean {
      const left = byTicker.get(ticker);
      const wasThere = left?.delete(reader) ?? false;
      if (left?.size === 0) byTicker.delete(ticker);
      return wasThere;
    },
    has: (ticker: string) => byTicker.has(ticker),
    of: (ticker: string): Iterable<Reader> => byTicker.get(ticker) ?? [],
    tickers: () => [...byTicker.keys()],
  };
}
