import { isReached } from '#lib/market/triggerWords.ts';
import type { CurrentBook, Exchange } from '#server/exchange/port.ts';
import type { Log } from '#server/platform/log.ts';
import { createLiveMarkets, type LiveMarkets } from '../markets/books/liveMarkets.ts';
import { type MarketPrices, watchedPriceMicros } from './trigger.ts';
import type { OpenTrigger, TriggerSource } from './triggerSource.ts';

/** A book that was repaired, or that is older, releases nothing. */
const SETTLED_MS = 1_000;
const MOST_AGE_MS = 3_000;
/** Between confirmations of one market, which use the rate limit that quotes need. */
const CONFIRM_EVERY_MS = 250;

type Waiting = { trigger: OpenTrigger; source: TriggerSource };

export type TriggerWatch = {
  /** Replaces what is waited for, and looks at every followed market once. */
  update(waiting: readonly Waiting[]): void;
  stop(): void;
};

export type TriggerWatchDeps = {
  exchange: Pick<Exchange, 'followMarket' | 'getOrderBook'> & {
    catalogue: Pick<Exchange['catalogue'], 'listTrades'>;
  };
  log: Log;
};

/**
 * Watches the live books of all markets with open triggers. A live book, or a trade, only nominates
 * a trigger; it fires when the exchange's own book, or its latest trade, confirms the price.
 */
export function watchTriggers(deps: TriggerWatchDeps, now: () => number = Date.now): TriggerWatch {
  const { log } = deps;
  const liveMarkets = createLiveMarkets(deps, { mostMarkets: Number.POSITIVE_INFINITY });
  const waitingIn = new Map<string, Waiting[]>();
  /** When the book was last complete anew: at first, and after each gap. */
  const repairedAt = new Map<string, number>();
  const lastPrice = new Map<string, bigint>();
  const confirming = new Set<string>();

  liveMarkets.onUpdate((ticker, change) => {
    if (change.kind === 'snapshot') repairedAt.set(ticker, now());
    if (change.kind === 'stale') repairedAt.delete(ticker);
    if (change.kind === 'trade') lastPrice.set(ticker, change.trade.yesPriceMicros);
    if (change.kind === 'delta' || change.kind === 'trade') look(ticker);
  });

  function look(ticker: string): void {
    const waiting = waitingIn.get(ticker) ?? [];
    const book = settledBook(liveMarkets.getBook(ticker), repairedAt.get(ticker), now());
    if (!book || waiting.length === 0 || confirming.has(ticker)) return;
    const prices = {
      book: book.book,
      lastYesPriceMicros: lastPriceOf(liveMarkets, lastPrice, ticker),
    };
    const nominated = waiting.filter(({ trigger }) => reachedAt(trigger, prices) !== undefined);
    if (nominated.length > 0) void confirm(ticker, nominated);
  }

  async function confirm(ticker: string, nominated: readonly Waiting[]): Promise<void> {
    confirming.add(ticker);
    try {
      const readAt = new Date(now());
      const prices = await readPrices(deps, ticker, nominated);
      for (const { trigger, source } of nominated) {
        const priceMicros = reachedAt(trigger, prices);
        if (priceMicros === undefined) continue;
        const isFired = await source.fire(trigger, { priceMicros, at: readAt });
        if (isFired) log.info({ ticker, id: trigger.id, priceMicros }, `${source.name} triggered`);
      }
    } catch (err) {
      // The next look nominates it again.
      log.warn({ err, ticker }, 'a trigger could not be confirmed');
    } finally {
      setTimeout(() => confirming.delete(ticker), CONFIRM_EVERY_MS).unref();
    }
  }

  return {
    update(waiting) {
      const wanted = Map.groupBy(waiting, ({ trigger }) => trigger.ticker);
      for (const ticker of waitingIn.keys()) {
        if (wanted.has(ticker)) continue;
        waitingIn.delete(ticker);
        liveMarkets.leave(ticker);
      }
      for (const [ticker, ofMarket] of wanted) {
        if (!waitingIn.has(ticker)) liveMarkets.follow(ticker);
        waitingIn.set(ticker, ofMarket);
        look(ticker);
      }
    },
    stop: () => liveMarkets.close(),
  };
}

/** The book, unless it is stale, old, or has just been repaired. */
function settledBook(
  current: CurrentBook | undefined,
  repairedAt: number | undefined,
  nowMs: number,
): CurrentBook | undefined {
  if (!current || repairedAt === undefined || nowMs - repairedAt < SETTLED_MS) return undefined;
  return nowMs - current.asOf.getTime() <= MOST_AGE_MS ? current : undefined;
}

function lastPriceOf(
  liveMarkets: Pick<LiveMarkets, 'getPrices'>,
  traded: ReadonlyMap<string, bigint>,
  ticker: string,
): bigint | undefined {
  return traded.get(ticker) ?? liveMarkets.getPrices(ticker)?.lastPriceMicros ?? undefined;
}

/** The watched price where it has reached the trigger. */
function reachedAt(trigger: OpenTrigger, prices: MarketPrices): bigint | undefined {
  const watched = watchedPriceMicros(trigger, prices);
  return watched !== undefined && isReached(trigger, watched) ? watched : undefined;
}

/** What the exchange itself says now. */
async function readPrices(
  { exchange }: TriggerWatchDeps,
  ticker: string,
  nominated: readonly Waiting[],
): Promise<MarketPrices> {
  const needsTrade = nominated.some(({ trigger }) => trigger.source === 'last');
  const [book, latest] = await Promise.all([
    exchange.getOrderBook(ticker),
    needsTrade ? exchange.catalogue.listTrades({ ticker, limit: 1 }) : undefined,
  ]);
  return { book, lastYesPriceMicros: latest?.trades[0]?.yesPriceMicros };
}
