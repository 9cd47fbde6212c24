import type { ExchangeCatalogue } from '../catalogue.ts';
import type { CurrentBook, ExchangeMarketData, MarketUpdate } from '../port.ts';
import { differences } from './followedBook.ts';

/** How often one market is read, at most. */
const LEAST_MS = 2_000;
/** Markets take turns, so that reads for quotes find the rate limit unused. */
const TURN_MS = 250;
const TRADES_READ = 20;

type PolledMarketsOptions = {
  getOrderBook: ExchangeMarketData['getOrderBook'];
  listTrades: ExchangeCatalogue['listTrades'];
};

type Polled = { readAt: number; read: () => Promise<void> };

/**
 * Follows markets without a key, which the exchange's socket requires: their books and trades are
 * read in turn, each at most every two seconds. There are no prices beyond those of the book.
 */
export function createPolledMarkets({
  getOrderBook,
  listTrades,
}: PolledMarketsOptions): ExchangeMarketData['followMarket'] {
  const markets = new Set<Polled>();
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;

  function takeTurn(): void {
    const now = performance.now();
    const [next] = [...markets].toSorted((a, b) => a.readAt - b.readAt);
    if (isReading || !next || now - next.readAt < LEAST_MS) return;
    next.readAt = now;
    isReading = true;
    void next.read().finally(() => {
      isReading = false;
    });
  }

  return (ticker, onUpdate) => {
    let current: CurrentBook | undefined;
    let isStopped = false;
    const publish = (update: MarketUpdate) => {
      if (!isStopped) onUpdate(update);
    };

    async function readNow(): Promise<void> {
      const asOf = new Date();
      const [book, { trades }] = await Promise.all([
        getOrderBook(ticker),
        listTrades({ ticker, limit: TRADES_READ }),
      ]);
      const isNews = !current || differences(current.book, book).length > 0;
      current = { book, asOf };
      if (isNews) publish({ kind: 'book' });
      for (const trade of trades.toReversed()) publish({ kind: 'trade', trade });
    }

    const polled: Polled = {
      readAt: Number.NEGATIVE_INFINITY,
      read: () =>
        readNow().catch(() => {
          if (current) publish({ kind: 'stale' });
          current = undefined;
        }),
    };
    markets.add(polled);
    timer ??= setInterval(takeTurn, TURN_MS).unref();
    return {
      getBook: () => (isStopped ? undefined : current),
      stop() {
        isStopped = true;
        markets.delete(polled);
        if (markets.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      },
    };
  };
}
