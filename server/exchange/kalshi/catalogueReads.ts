import { costMicros, MICROS } from '#lib/money.ts';
import type { Log } from '../../platform/log.ts';
import type {
  CatalogueEvent,
  CatalogueMarket,
  CatalogueSeries,
  ExchangeCatalogue,
} from '../catalogue.ts';
import type { OrderBook } from '../port.ts';
import { unlessMissing } from './archive.ts';
import { createCandleReads } from './candleReads.ts';
import type { HttpClient } from './httpClient.ts';
import { isTicker, readMarket } from './market.ts';
import { readDisplayStyle } from './metadata.ts';
import { readMilestone, withMilestones } from './milestones.ts';
import { nextCursor } from './nextCursor.ts';
import { readOrderBook } from './orderBook.ts';
import { readEach } from './readEach.ts';
import { readScores } from './scores.ts';
import { createTradeReads } from './tradeReads.ts';
import { asList, asWire, countMicros, decimalMicros, flag, text, type Wire } from './wire.ts';

const EVENTS_A_PAGE = 200;
const MARKETS_A_PAGE = 1000;
const BOOKS_A_CALL = 100;
const MILESTONES_A_CALL = 100;

export function createCatalogueReads(
  http: HttpClient,
  log: Log,
  ownOrigin: string,
): Omit<ExchangeCatalogue, 'watch'> {
  const readMarkets = (list: unknown): CatalogueMarket[] => {
    const now = new Date();
    return readEach(list, 'market', log, (wire) => readMarket(wire, now));
  };
  const readEvent = (wire: Wire) => eventOf(wire, readMarkets(wire.markets));
  return {
    ...createTradeReads(http, log),
    ...createCandleReads(http, log),

    async listSeries() {
      const body = await http.get('/series', { include_volume: true });
      return readEach(body.series, 'series', log, readSeries);
    },

    async listEvents({ cursor, status, minUpdatedAt }) {
      const body = await http.get('/events', {
        limit: EVENTS_A_PAGE,
        with_nested_markets: true,
        with_milestones: true,
        ...(cursor ? { cursor } : {}),
        ...(status ? { status } : {}),
        ...(minUpdatedAt ? { min_updated_ts: seconds(minUpdatedAt) } : {}),
      });
      const events = readEach(body.events, 'event', log, readEvent);
      const milestones = readEach(body.milestones, 'milestone', log, readMilestone);
      return { events: withMilestones(events, milestones), cursor: nextCursor(body, cursor) };
    },

    async listMarkets({ cursor, tickers, eventTicker, minUpdatedAt, status }) {
      const body = await http.get('/markets', {
        limit: MARKETS_A_PAGE,
        mve_filter: 'exclude',
        ...(cursor ? { cursor } : {}),
        ...(tickers ? { tickers: tickers.join(',') } : {}),
        ...(eventTicker ? { event_ticker: eventTicker } : {}),
        ...(minUpdatedAt ? { min_updated_ts: seconds(minUpdatedAt) } : {}),
        ...(status ? { status } : {}),
      });
      return { markets: readMarkets(body.markets), cursor: nextCursor(body, cursor) };
    },

    async getEvent(eventTicker) {
      return await unlessMissing(async () => {
        const body = await http.get(`/events/${encodeURIComponent(eventTicker)}`, {
          with_nested_markets: true,
        });
        const event = readEvent(asWire(body.event));
        if (event && event.markets.length === 0) event.markets = readMarkets(body.markets);
        return event;
      });
    },

    async getEventDisplayStyles(eventTicker) {
      return await unlessMissing(async () => {
        const body = await http.get(`/events/${encodeURIComponent(eventTicker)}/metadata`);
        return readDisplayStyle(body, ownOrigin);
      });
    },

    async getArchivedMarket(ticker) {
      return await unlessMissing(async () => {
        const body = await http.get(`/historical/markets/${encodeURIComponent(ticker)}`);
        return readMarket(asWire(body.market), new Date());
      });
    },

    async listArchivedMarkets(eventTicker) {
      const body = await unlessMissing(() =>
        http.get('/historical/markets', { limit: MARKETS_A_PAGE, event_ticker: eventTicker }),
      );
      return readMarkets(body?.markets);
    },

    async listScores(milestones) {
      // A comma-separated list of ids is one unknown id to the exchange.
      const ids = milestones.slice(0, MILESTONES_A_CALL).map(({ id }) => id);
      return readScores(await http.get('/live_data/batch', { milestone_ids: ids }), milestones);
    },

    async listLiquidity(tickers) {
      const found = new Map<string, bigint>();
      const body = await http.get('/markets/orderbooks', {
        tickers: tickers.slice(0, BOOKS_A_CALL),
      });
      for (const item of asList(body.orderbooks)) {
        const wire = asWire(item);
        const ticker = text(wire, 'ticker', 'market_ticker');
        if (ticker !== '') found.set(ticker, liquidityOf(readOrderBook(ticker, wire)));
      }
      return found;
    },
  };
}

/** The cash resting on both sides of a book: what its bids would pay. */
export function liquidityOf(book: OrderBook): bigint {
  let total = 0n;
  for (const level of [...book.yesBids, ...book.noBids]) {
    total += costMicros(level.contractMicros, level.priceMicros, 'down');
  }
  return total;
}

function readSeries(wire: Wire): CatalogueSeries | undefined {
  const ticker = text(wire, 'ticker');
  if (!isTicker(ticker)) return undefined;
  const [firstCategory] = asList(wire.categories);
  return {
    ticker,
    title: text(wire, 'title') || ticker,
    category: text(wire, 'category') || (typeof firstCategory === 'string' ? firstCategory : ''),
    frequency: text(wire, 'frequency').toLowerCase(),
    tags: asList(wire.tags).filter((tag) => typeof tag === 'string'),
    feeType: text(wire, 'fee_type'),
    feeMultiplierMicros: decimalMicros(wire.fee_multiplier) ?? MICROS,
    volumeContractMicros: countMicros(wire, 'volume') ?? 0n,
    settlementSources: asList(wire.settlement_sources).flatMap((item) => {
      const url = webUrl(text(asWire(item), 'url'));
      return url ? [{ name: text(asWire(item), 'name') || new URL(url).hostname, url }] : [];
    }),
    contractTermsUrl: webUrl(text(wire, 'contract_terms_url', 'contract_url')),
  };
}

/** Pages link to it, so nothing but the web's schemes. */
function webUrl(given: string): string | null {
  return /^https?:/i.test(given) && URL.canParse(given) ? given : null;
}

function eventOf(wire: Wire, markets: CatalogueMarket[]): CatalogueEvent | undefined {
  const eventTicker = text(wire, 'event_ticker', 'ticker');
  if (!isTicker(eventTicker)) return undefined;
  return {
    eventTicker,
    seriesTicker: text(wire, 'series_ticker') || (eventTicker.split('-')[0] ?? eventTicker),
    title: text(wire, 'title') || eventTicker,
    subtitle: text(wire, 'sub_title', 'subtitle'),
    mutuallyExclusive: flag(wire, 'mutually_exclusive'),
    category: text(wire, 'category'),
    markets,
  };
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
