import { MICROS } from '#lib/money.ts';
import type { CataloguePrices, ExchangeTrade } from '#server/exchange/catalogue.ts';
import type {
  BookLevel,
  CurrentBook,
  Exchange,
  FollowedMarket,
  MarketUpdate,
  OrderBook,
  OutcomeSide,
} from '#server/exchange/port.ts';

/**
 * What readers get of one market. The version grows by one with every event of the book, so that a
 * reader knows whether it has them all.
 */
export type LiveUpdate =
  | { kind: 'snapshot'; version: number; book: OrderBook; asOf: Date }
  | { kind: 'delta'; version: number; yes: BookLevel[]; no: BookLevel[]; asOf: Date }
  /** `asOf` is when the book was last complete; undefined if it never was. */
  | { kind: 'stale'; version: number; asOf: Date | undefined }
  | { kind: 'trade'; trade: ExchangeTrade }
  | { kind: 'prices'; prices: CataloguePrices };

/** Changes are collected for this long, so that one trade is one event. */
const GATHER_MS = 10;
/** About ten events a second; the newest size of each level wins. */
const EVERY_MS = 100;
/** A book that stays crossed for longer is wrong, or late: readers are told that it is stale. */
const CROSSED_MS = 1_000;
const MOST_TRADES = 200;

export type LiveMarket = {
  /** Undefined while the book is stale or crossed. */
  getBook(): CurrentBook | undefined;
  /** What a new reader gets first; undefined while the book is crossed for a moment. */
  getFirst(): Extract<LiveUpdate, { kind: 'snapshot' | 'stale' }> | undefined;
  /** The latest prices; undefined before the first. */
  getPrices(): CataloguePrices | undefined;
  stop(): void;
};

/** Follows a market at the exchange and reports its book at most ten times a second. */
export function followLiveMarket(
  deps: { exchange: Pick<Exchange, 'followMarket'> },
  ticker: string,
  handlers: {
    onUpdate: (update: LiveUpdate) => void;
    /** Trades since the last one may be missing; pass those that are found to `addTrades`. */
    onTradesMissed: (addTrades: (trades: readonly ExchangeTrade[]) => void) => void;
  },
): LiveMarket {
  const { onUpdate } = handlers;
  const startedAt = new Date();
  const pending: Record<OutcomeSide, Map<bigint, bigint>> = { yes: new Map(), no: new Map() };
  const tradeIds = new Set<string>();
  let version = 1;
  /** What readers were last told. */
  let isPublished = false;
  let needsSnapshot = true;
  let lastAsOf: Date | undefined;
  let crossedSince: number | undefined;
  let prices: CataloguePrices | undefined;
  let hasNewPrices = false;
  let flushedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function schedule(): void {
    if (timer) return;
    const waitMs = Math.max(GATHER_MS, flushedAt + EVERY_MS - performance.now());
    timer = setTimeout(() => {
      timer = undefined;
      flush();
    }, waitMs);
  }

  function flush(): void {
    flushedAt = performance.now();
    if (hasNewPrices && prices) onUpdate({ kind: 'prices', prices });
    hasNewPrices = false;
    if (!needsSnapshot && pending.yes.size + pending.no.size === 0) return;
    const current = followed.getBook();
    if (!current) return;
    if (isCrossed(current.book)) {
      waitForUncrossed();
      return;
    }
    crossedSince = undefined;
    version += 1;
    const { book, asOf } = current;
    lastAsOf = asOf;
    if (needsSnapshot) onUpdate({ kind: 'snapshot', version, book, asOf });
    else onUpdate({ kind: 'delta', version, ...takePending(), asOf });
    clearPending();
    needsSnapshot = false;
    isPublished = true;
  }

  /** One trade changes several levels; between its messages a book may be crossed. */
  function waitForUncrossed(): void {
    crossedSince ??= performance.now();
    if (isPublished && performance.now() - crossedSince >= CROSSED_MS) publishStale();
    schedule();
  }

  function publishStale(): void {
    clearPending();
    needsSnapshot = true;
    if (!isPublished) return;
    isPublished = false;
    version += 1;
    onUpdate({ kind: 'stale', version, asOf: lastAsOf });
  }

  const takePending = () => ({ yes: levelsOf(pending.yes), no: levelsOf(pending.no) });
  function clearPending(): void {
    pending.yes.clear();
    pending.no.clear();
  }

  function addTrades(trades: readonly ExchangeTrade[]): void {
    for (const trade of trades) {
      if (tradeIds.has(trade.tradeId)) continue;
      tradeIds.add(trade.tradeId);
      const [oldest] = tradeIds;
      if (tradeIds.size > MOST_TRADES && oldest !== undefined) tradeIds.delete(oldest);
      onUpdate({ kind: 'trade', trade });
    }
  }

  function receive(update: MarketUpdate): void {
    switch (update.kind) {
      case 'book':
        needsSnapshot = true;
        schedule();
        break;
      case 'level':
        pending[update.side].set(update.level.priceMicros, update.level.contractMicros);
        schedule();
        break;
      case 'stale':
        publishStale();
        break;
      case 'trade':
        addTrades(newer([update.trade]));
        break;
      case 'trades_missed':
        // Before the first book nothing was followed yet.
        if (lastAsOf) handlers.onTradesMissed((found) => addTrades(newer(found)));
        break;
      case 'prices':
        prices = update.prices;
        hasNewPrices = true;
        schedule();
    }
  }

  /** Trades from before it was followed are no news. */
  const newer = (trades: readonly ExchangeTrade[]) =>
    trades.filter(({ at }) => at >= startedAt).toSorted((a, b) => a.at.getTime() - b.at.getTime());

  const followed: FollowedMarket = deps.exchange.followMarket(ticker, receive);

  function getBook(): CurrentBook | undefined {
    const current = followed.getBook();
    if (!current || isCrossed(current.book)) return undefined;
    lastAsOf = current.asOf;
    return current;
  }

  return {
    getBook,
    getFirst() {
      if (!isPublished) return { kind: 'stale', version, asOf: lastAsOf };
      const current = getBook();
      return current && { kind: 'snapshot', version, ...current };
    },
    getPrices: () => prices,
    stop() {
      clearTimeout(timer);
      followed.stop();
    },
  };
}

function levelsOf(sizes: ReadonlyMap<bigint, bigint>): BookLevel[] {
  return [...sizes].map(([priceMicros, contractMicros]) => ({ priceMicros, contractMicros }));
}

/** Whether the best bid reaches the best offer: then the two would have traded. */
function isCrossed({ yesBids: [yes], noBids: [no] }: OrderBook): boolean {
  return yes !== undefined && no !== undefined && yes.priceMicros + no.priceMicros >= MICROS;
}
