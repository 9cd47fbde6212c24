import { cutoffsOf, isArchived } from '../archive.ts';
import { ensureBook } from '../bots.ts';
import { MARKETS_AN_EVENT } from '../catalogue/benchmark.ts';
import { benchmarkEvents, findEvent, findMarket } from '../listing.ts';
import { type ExchangeMarket, publishedCloseOf, statusOf } from '../market.ts';
import type { Exchange } from '../state.ts';
import { tradesOf } from '../tape.ts';
import {
  badParameter,
  type Call,
  decodeCursor,
  encodeCursor,
  integer,
  list,
  notFound,
  ok,
  okText,
  page,
  pageOfAll,
  type Route,
  seconds,
} from './route.ts';
import { sortedMarkets } from './sorted.ts';
import { listText, marketText } from './texts.ts';
import { bookWire, tradeWire } from './wire.ts';

const STATUS_FILTER: Record<string, string[]> = {
  unopened: ['initialized'],
  open: ['active'],
  paused: ['inactive'],
  closed: ['closed', 'determined', 'disputed', 'amended'],
  settled: ['finalized'],
};

/** Whether a market passes a status filter. @throws {Refusal} for a status that does not exist. */
export function statusTest(text: string | null): (market: ExchangeMarket, now: number) => boolean {
  if (!text) return () => true;
  const wanted = text.split(',').flatMap((name) => {
    const statuses = STATUS_FILTER[name];
    if (!statuses) throw badParameter(`status ${name} is not one of the allowed values`);
    return statuses;
  });
  return (market, now) => wanted.includes(statusOf(market, now));
}

/** @throws {Refusal} */
export function marketOf(exchange: Exchange, ticker: string | undefined): ExchangeMarket {
  const market = findMarket(exchange, ticker ?? '');
  if (!market || isArchived(exchange, market)) throw notFound('market');
  return market;
}

type Window = { from: number | undefined; to: number | undefined };

function windows(
  query: URLSearchParams,
): Record<'created' | 'updated' | 'close' | 'settled', Window> {
  const window = (name: string): Window => ({
    from: seconds(query, `min_${name}_ts`),
    to: seconds(query, `max_${name}_ts`),
  });
  return {
    created: window('created'),
    updated: window('updated'),
    close: window('close'),
    settled: window('settled'),
  };
}

/** The exchange allows one kind of time filter, and with some kinds only some statuses. */
function checkCombination(query: URLSearchParams, given: ReturnType<typeof windows>): void {
  const used = Object.entries(given).filter(
    ([, { from, to }]) => from !== undefined || to !== undefined,
  );
  if (used.length > 1) throw badParameter('time filters exclude each other');
  const kind = used[0]?.[0];
  const status = query.get('status');
  if (!kind || !status) return;
  const allowed: Record<string, string[]> = {
    created: ['unopened', 'open'],
    close: ['closed'],
    settled: ['settled'],
    updated: [],
  };
  if (!allowed[kind]?.includes(status)) {
    throw badParameter(`min_${kind}_ts cannot be combined with status ${status}`);
  }
}

function within(at: number, { from, to }: Window): boolean {
  return (from === undefined || at >= from) && (to === undefined || at <= to);
}

function listMarkets({ exchange, query, now }: Call) {
  const limit = integer(query, 'limit', { least: 1, most: 1000, fallback: 100 });
  const isWanted = statusTest(query.get('status'));
  const times = windows(query);
  checkCombination(query, times);
  const tickers = list(query, 'tickers');
  const eventTicker = query.get('event_ticker');
  const seriesTicker = query.get('series_ticker');
  if (eventTicker?.includes(',')) throw badParameter('event_ticker takes one ticker');
  if (query.get('mve_filter') === 'only') return ok({ markets: [], cursor: '' });
  const isListed = (market: ExchangeMarket) =>
    !isArchived(exchange, market) &&
    isWanted(market, now) &&
    (!seriesTicker || market.event.template.ticker === seriesTicker) &&
    within(market.event.createdAt, times.created) &&
    within(market.state.updatedAt, times.updated) &&
    within(publishedCloseOf(market, now), times.close) &&
    within(market.state.schedule.finalAt, times.settled);
  const named = namedMarkets(exchange, tickers, eventTicker);
  const after = decodeCursor(query);
  const { items, cursor } = named
    ? page(named.filter(isListed), limit, after, (market) => market.ticker)
    : pageOfAll(
        {
          listed: sortedMarkets(exchange).filter(isListed),
          made: Math.floor(limit / MARKETS_AN_EVENT) || 1,
          makeOf: (from, to) =>
            benchmarkEvents(exchange, from, to).flatMap((event) => event.markets.filter(isListed)),
          count: exchange.benchmark.eventCount,
        },
        limit,
        after,
      );
  const markets = listText(items.map((market) => marketText(market, now)));
  return okText(`{"markets":${markets},"cursor":${JSON.stringify(cursor)}}`);
}

function namedMarkets(
  exchange: Exchange,
  tickers: string[] | undefined,
  eventTicker: string | null,
): ExchangeMarket[] | undefined {
  if (tickers) {
    return tickers.flatMap((ticker) => findMarket(exchange, ticker) ?? []).sort(byTicker);
  }
  return eventTicker
    ? [...(findEvent(exchange, eventTicker)?.markets ?? [])].sort(byTicker)
    : undefined;
}

/** The live trades, or those of the archive. */
export function listTrades({ exchange, query, now }: Call, side: 'live' | 'archived' = 'live') {
  const limit = integer(query, 'limit', { least: 1, most: 1000, fallback: 100 });
  const ticker = query.get('ticker');
  const cutoff = cutoffsOf(exchange).trades;
  const least = seconds(query, 'min_ts') ?? 0;
  const most = seconds(query, 'max_ts') ?? now;
  const from = side === 'live' ? Math.max(least, cutoff) : least;
  const to = side === 'live' ? most : Math.min(most, cutoff - 1);
  if (ticker && !findMarket(exchange, ticker)) return ok({ trades: [], cursor: '' });
  const trades = tradesOf(exchange, ticker ?? undefined, from, to);
  const offset = Number(decodeCursor(query) ?? '0');
  if (!Number.isInteger(offset)) throw badParameter('the cursor is not valid');
  const next = offset + limit;
  return ok({
    trades: trades.slice(offset, next).map(tradeWire),
    cursor: next < trades.length ? encodeCursor(String(next)) : '',
  });
}

function listBooks({ exchange, query }: Call) {
  const tickers = list(query, 'tickers');
  if (!tickers || tickers.length > 100) throw badParameter('tickers must name 1 to 100 markets');
  const orderbooks = tickers.map((ticker) => {
    const market = marketOf(exchange, ticker);
    ensureBook(exchange, market);
    return { ticker, orderbook_fp: bookWire(market, 0) };
  });
  return ok({ orderbooks });
}

export const marketRoutes: Route[] = [
  { method: 'GET', path: '/markets', handle: listMarkets },
  { method: 'GET', path: '/markets/trades', handle: (call) => listTrades(call) },
  { method: 'GET', path: '/markets/orderbooks', handle: listBooks },
  {
    method: 'GET',
    path: '/markets/*',
    handle: ({ exchange, params, now }) =>
      okText(`{"market":${marketText(marketOf(exchange, params[0]), now)}}`),
  },
  {
    method: 'GET',
    path: '/markets/*/orderbook',
    handle({ exchange, params, query }) {
      const market = marketOf(exchange, params[0]);
      ensureBook(exchange, market);
      const depth = integer(query, 'depth', { least: 0, most: 100, fallback: 0 });
      return ok({ orderbook_fp: bookWire(market, depth) });
    },
  },
];

function byTicker(a: ExchangeMarket, b: ExchangeMarket): number {
  return a.ticker < b.ticker ? -1 : 1;
}
