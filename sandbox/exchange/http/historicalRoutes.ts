import { cutoffsOf, isArchived } from '../archive.ts';
import { findEvent, findMarket } from '../listing.ts';
import type { ExchangeMarket } from '../market.ts';
import type { Exchange } from '../state.ts';
import { candlesOf } from '../tape.ts';
import { candleWindow, candleWire } from './eventRoutes.ts';
import { listTrades } from './marketRoutes.ts';
import { listFills, listOrders, listPositions } from './portfolioRoutes.ts';
import {
  type Call,
  decodeCursor,
  integer,
  list,
  notFound,
  ok,
  okText,
  page,
  type Route,
} from './route.ts';
import { sortedMarkets } from './sorted.ts';
import { listText, marketText } from './texts.ts';
import { time } from './wire.ts';

/** @throws {Refusal} */
function archivedMarket(exchange: Exchange, ticker: string | undefined): ExchangeMarket {
  const market = findMarket(exchange, ticker ?? '');
  if (!market || !isArchived(exchange, market)) throw notFound('market');
  return market;
}

function listMarkets({ exchange, query, now }: Call) {
  const limit = integer(query, 'limit', { least: 1, most: 1000, fallback: 100 });
  const tickers = list(query, 'tickers');
  const eventTicker = query.get('event_ticker');
  const named = eventTicker ? (findEvent(exchange, eventTicker)?.markets ?? []) : undefined;
  const archived = (named ?? sortedMarkets(exchange))
    .filter((market) => isArchived(exchange, market))
    .filter((market) => !tickers || tickers.includes(market.ticker))
    .toSorted((a, b) => (a.ticker < b.ticker ? -1 : 1));
  const { items, cursor } = page(archived, limit, decodeCursor(query), (market) => market.ticker);
  const markets = listText(items.map((market) => marketText(market, now)));
  return okText(`{"markets":${markets},"cursor":${JSON.stringify(cursor)}}`);
}

/** Candles of the archive name their fields without suffixes. */
function archivedCandle(candle: ReturnType<typeof candleWire>) {
  return Object.fromEntries(
    Object.entries(candle).map(([name, value]) => [
      name.replace(/_fp$/, ''),
      typeof value === 'object' ? withoutSuffixes(value) : value,
    ]),
  );
}

function withoutSuffixes(prices: Record<string, string | null>) {
  return Object.fromEntries(
    Object.entries(prices).map(([name, value]) => [name.replace(/_dollars$/, ''), value]),
  );
}

const keyed = { keyed: true };

/** What is older than the cutoffs. */
export const historicalRoutes: Route[] = [
  {
    method: 'GET',
    path: '/historical/cutoff',
    handle({ exchange }) {
      const cutoffs = cutoffsOf(exchange);
      return ok({
        market_settled_ts: time(cutoffs.markets),
        trades_created_ts: time(cutoffs.trades),
        orders_updated_ts: time(cutoffs.orders),
        market_positions_last_updated_ts: time(cutoffs.positions),
      });
    },
  },
  { method: 'GET', path: '/historical/markets', handle: listMarkets },
  {
    method: 'GET',
    path: '/historical/markets/*',
    handle: ({ exchange, params, now }) =>
      okText(`{"market":${marketText(archivedMarket(exchange, params[0]), now)}}`),
  },
  {
    method: 'GET',
    path: '/historical/markets/*/candlesticks',
    handle({ exchange, params, query }) {
      const market = archivedMarket(exchange, params[0]);
      const candles = candlesOf(exchange, market, candleWindow(query)).map(candleWire);
      return ok({ ticker: market.ticker, candlesticks: candles.map(archivedCandle) });
    },
  },
  { method: 'GET', path: '/historical/trades', handle: (call) => listTrades(call, 'archived') },
  {
    ...keyed,
    method: 'GET',
    path: '/historical/orders',
    handle: (call) => listOrders(call, 'archived'),
  },
  {
    ...keyed,
    method: 'GET',
    path: '/historical/fills',
    handle: (call) => listFills(call, 'archived'),
  },
  {
    ...keyed,
    method: 'GET',
    path: '/historical/positions',
    handle: (call) => listPositions(call, 'archived'),
  },
];
