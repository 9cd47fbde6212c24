import { maxMicros, minMicros } from '#lib/money.ts';
import { isArchived } from '../archive.ts';
import { marketPicturePath, outcomeColor, seriesPicturePath } from '../catalogue/pictures.ts';
import type { SeriesTemplate } from '../catalogue/template.ts';
import { benchmarkEvents, findEvent } from '../listing.ts';
import { type ExchangeEvent, type ExchangeMarket, publishedCloseOf } from '../market.ts';
import type { Exchange } from '../state.ts';
import { type Candle, candlesOf } from '../tape.ts';
import { milestonesWire } from './liveDataRoutes.ts';
import { marketOf, statusTest } from './marketRoutes.ts';
import { marketFields, marketWire } from './marketWire.ts';
import {
  badParameter,
  type Call,
  decodeCursor,
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
import { sortedEvents } from './sorted.ts';
import { eventText, listText, marketText } from './texts.ts';
import { count, dollars, eventWire, seriesWire } from './wire.ts';

const MOST_CANDLES = 10_000;

function listEvents({ exchange, query, now }: Call) {
  const limit = integer(query, 'limit', { least: 1, most: 200, fallback: 200 });
  const isWanted = statusTest(query.get('status'));
  const tickers = list(query, 'tickers');
  const seriesTicker = query.get('series_ticker');
  const minClose = seconds(query, 'min_close_ts');
  const minUpdated = seconds(query, 'min_updated_ts');
  const nested = query.get('with_nested_markets') === 'true';
  const isListed = (event: ExchangeEvent) =>
    (!seriesTicker || event.template.ticker === seriesTicker) &&
    event.markets.some((market) => !isArchived(exchange, market) && isWanted(market, now)) &&
    (minClose === undefined ||
      event.markets.some((market) => publishedCloseOf(market, now) >= minClose)) &&
    (minUpdated === undefined ||
      event.markets.some((market) => market.state.updatedAt >= minUpdated));
  const after = decodeCursor(query);
  const { items, cursor } = tickers
    ? page(
        tickers
          .flatMap((ticker) => findEvent(exchange, ticker) ?? [])
          .filter(isListed)
          .sort(byTicker),
        limit,
        after,
        (event) => event.ticker,
      )
    : pageOfAll(
        {
          listed: sortedEvents(exchange).filter(isListed),
          made: limit,
          makeOf: (from, to) => benchmarkEvents(exchange, from, to).filter(isListed),
          count: exchange.benchmark.eventCount,
        },
        limit,
        after,
      );
  const events = items.map((event) =>
    eventText(
      exchange,
      event,
      nested
        ? event.markets
            .filter((market) => !isArchived(exchange, market))
            .map((market) => marketText(market, now))
        : undefined,
    ),
  );
  const withMilestones = query.get('with_milestones') === 'true';
  const milestones = withMilestones ? items.flatMap(milestonesWire) : [];
  // Split after the first brace, where the long part is inserted.
  const rest = JSON.stringify({ milestones, cursor }).slice(1);
  return okText(`{"events":${listText(events)},${rest}`);
}

function listedWire(exchange: Exchange, event: ExchangeEvent, now: number) {
  return event.markets
    .filter((market) => !isArchived(exchange, market))
    .map((market) => marketWire(market, marketFields(market, now)));
}

function eventOf(exchange: Exchange, ticker: string | undefined): ExchangeEvent {
  const event = findEvent(exchange, ticker ?? '');
  if (!event) throw notFound('event');
  return event;
}

function getEvent({ exchange, params, query, now }: Call) {
  const event = eventOf(exchange, params[0]);
  const markets = listedWire(exchange, event, now);
  const nested = query.get('with_nested_markets') === 'true';
  return ok({
    event: eventWire(exchange, event, nested ? markets : undefined),
    markets: nested ? [] : markets,
  });
}

function getMetadata({ exchange, params, origin }: Call) {
  const event = eventOf(exchange, params[0]);
  const isTemplate = exchange.world.templates.has(event.template.ticker);
  const address = (path: string | undefined) => (path === undefined ? '' : `${origin}${path}`);
  return ok({
    // The generated series of a benchmark have none.
    image_url: isTemplate ? address(seriesPicturePath(event.template)) : '',
    market_details: event.markets.map((market) => ({
      market_ticker: market.ticker,
      image_url: address(marketPicturePath(market)),
      color_code: outcomeColor(market.spec.suffix || market.ticker),
    })),
    settlement_sources: [event.template.source],
    competition: null,
    competition_scope: null,
  });
}

function listSeries({ exchange, query }: Call) {
  const category = query.get('category');
  const tags = list(query, 'tags');
  const withVolume = query.get('include_volume') === 'true';
  const volumes = withVolume ? seriesVolumes(exchange) : undefined;
  const { benchmark } = exchange;
  const made = Array.from({ length: benchmark.seriesCount }, (_, index) =>
    benchmark.seriesAt(index),
  );
  const series = [...exchange.world.templates.values(), ...made]
    .filter((item) => !category || item.category === category)
    .filter((item) => !tags || tags.some((tag) => item.tags.includes(tag)))
    .map((item) => seriesWire(exchange, item, volumes && (volumes.get(item.ticker) ?? 0n)));
  return ok({ series });
}

function findSeries({ world, benchmark }: Exchange, ticker: string): SeriesTemplate | undefined {
  const index = benchmark.seriesIndexOf(ticker);
  return index === undefined ? world.templates.get(ticker) : benchmark.seriesAt(index);
}

function byTicker(a: ExchangeEvent, b: ExchangeEvent): number {
  return a.ticker < b.ticker ? -1 : 1;
}

function seriesVolumes(exchange: Exchange): Map<string, bigint> {
  const volumes = new Map<string, bigint>();
  for (const market of exchange.world.markets.values()) {
    const { ticker } = market.event.template;
    volumes.set(ticker, (volumes.get(ticker) ?? 0n) + market.state.liveVolumeMicros);
  }
  return volumes;
}

export function candleWindow(query: URLSearchParams) {
  const from = seconds(query, 'start_ts');
  const to = seconds(query, 'end_ts');
  const minutes = integer(query, 'period_interval', { least: 1, most: 1440, fallback: 0 });
  if (from === undefined || to === undefined || ![1, 60, 1440].includes(minutes)) {
    throw badParameter('start_ts, end_ts and period_interval (1, 60 or 1440) are required');
  }
  const periodMs = minutes * 60_000;
  if ((to - from) / periodMs > MOST_CANDLES)
    throw badParameter('more than 10000 candles asked for');
  return { from, to, periodMs };
}

export function candleWire(candle: Candle) {
  const level = (priceMicros: bigint) => {
    const text = dollars(priceMicros);
    return { open_dollars: text, low_dollars: text, high_dollars: text, close_dollars: text };
  };
  const prices = candle.trades.map((trade) => trade.priceMicros);
  const low = prices.reduce(minMicros, prices[0] ?? 0n);
  const high = prices.reduce(maxMicros, 0n);
  const price = (value: bigint | undefined) => (value === undefined ? null : dollars(value));
  const any = prices.length > 0;
  return {
    end_period_ts: Math.floor(candle.endAt / 1000),
    yes_bid: level(candle.bid),
    yes_ask: level(candle.ask),
    price: {
      open_dollars: price(prices[0]),
      low_dollars: price(any ? low : undefined),
      high_dollars: price(any ? high : undefined),
      close_dollars: price(prices.at(-1)),
      mean_dollars: price(candle.meanMicros),
      previous_dollars: price(candle.previousMicros),
      min_dollars: price(any ? low : undefined),
      max_dollars: price(any ? high : undefined),
    },
    volume_fp: count(candle.volumeMicros),
    open_interest_fp: count(candle.openInterestMicros),
  };
}

function marketCandles(exchange: Exchange, market: ExchangeMarket, query: URLSearchParams) {
  return candlesOf(exchange, market, candleWindow(query)).map(candleWire);
}

/** Changes in effect are included on request only. */
function isShown(scheduledTs: string, query: URLSearchParams, now: number): boolean {
  return query.get('show_historical') === 'true' || Date.parse(scheduledTs) > now;
}

export const eventRoutes: Route[] = [
  { method: 'GET', path: '/events', handle: listEvents },
  { method: 'GET', path: '/events/multivariate', handle: () => ok({ events: [], cursor: '' }) },
  {
    method: 'GET',
    path: '/events/fee_changes',
    handle: ({ exchange, query, now }) => {
      const ticker = query.get('event_ticker');
      return ok({
        event_fee_changes: exchange.eventFeeChanges.filter(
          (change) =>
            (!ticker || change.event_ticker === ticker) && isShown(change.scheduled_ts, query, now),
        ),
        cursor: '',
      });
    },
  },
  { method: 'GET', path: '/events/*', handle: getEvent },
  { method: 'GET', path: '/events/*/metadata', handle: getMetadata },
  { method: 'GET', path: '/series', handle: listSeries },
  {
    method: 'GET',
    path: '/series/fee_changes',
    handle: ({ exchange, query, now }) => {
      const ticker = query.get('series_ticker');
      return ok({
        series_fee_change_arr: exchange.feeChanges.filter(
          (change) =>
            (!ticker || change.series_ticker === ticker) &&
            isShown(change.scheduled_ts, query, now),
        ),
      });
    },
  },
  {
    method: 'GET',
    path: '/series/*',
    handle({ exchange, params }) {
      const template = findSeries(exchange, params[0] ?? '');
      if (!template) throw notFound('series');
      return ok({ series: seriesWire(exchange, template) });
    },
  },
  {
    method: 'GET',
    path: '/series/*/markets/*/candlesticks',
    handle({ exchange, params, query }) {
      const market = marketOf(exchange, params[1]);
      return ok({ ticker: market.ticker, candlesticks: marketCandles(exchange, market, query) });
    },
  },
  {
    method: 'GET',
    path: '/series/*/events/*/candlesticks',
    handle({ exchange, params, query }) {
      const { markets } = eventOf(exchange, params[1]);
      return ok({
        market_tickers: markets.map((market) => market.ticker),
        market_candlesticks: markets.map((market) => marketCandles(exchange, market, query)),
        adjusted_end_ts: Math.floor(candleWindow(query).to / 1000),
      });
    },
  },
  {
    method: 'GET',
    path: '/markets/candlesticks',
    handle({ exchange, query }) {
      const tickers = list(query, 'market_tickers');
      if (!tickers || tickers.length > 100) throw badParameter('market_tickers must name 1 to 100');
      const { from, to, periodMs } = candleWindow(query);
      if (((to - from) / periodMs) * tickers.length > MOST_CANDLES) {
        throw badParameter('more than 10000 candles asked for');
      }
      return ok({
        markets: tickers.map((ticker) => ({
          market_ticker: ticker,
          candlesticks: marketCandles(exchange, marketOf(exchange, ticker), query),
        })),
      });
    },
  },
];
