import { createTimedCache } from '../../platform/timedCache.ts';
import { ExchangeResponseError, ExchangeUnavailableError } from '../errors.ts';
import type { ExchangeMarket, ExchangeMarketData } from '../port.ts';
import { resolveFee } from './fees.ts';
import type { HttpClient } from './httpClient.ts';
import { readMarket } from './market.ts';
import { readOrderBook } from './orderBook.ts';
import { readSchedule } from './schedule.ts';
import { readShardStatuses } from './shards.ts';
import { asList, asWire, flag, moment, text, type Wire } from './wire.ts';

/** Fees and groupings change rarely and with notice; markets and books are never cached. */
const TERMS_TTL_MS = 30_000;

export function createMarketData(http: HttpClient): Omit<ExchangeMarketData, 'followMarket'> {
  const series = createTimedCache(TERMS_TTL_MS, (ticker: string) =>
    absentAs({}, async () => {
      const body = await http.get(`/series/${encodeURIComponent(ticker)}`);
      return asWire(body.series);
    }),
  );
  const events = createTimedCache(TERMS_TTL_MS, (ticker: string) =>
    absentAs({}, async () => {
      const body = await http.get(`/events/${encodeURIComponent(ticker)}`);
      return asWire(body.event);
    }),
  );
  const seriesChanges = createTimedCache(TERMS_TTL_MS, (ticker: string) =>
    absentAs([], async () => {
      const body = await http.get('/series/fee_changes', {
        series_ticker: ticker,
        show_historical: true,
      });
      return asList(body.series_fee_change_arr).map(asWire);
    }),
  );
  const eventChanges = createTimedCache(TERMS_TTL_MS, (ticker: string) =>
    absentAs([], async () => {
      const body = await http.get('/events/fee_changes', {
        event_ticker: ticker,
        show_historical: true,
      });
      return asList(body.event_fee_changes).map(asWire);
    }),
  );

  // A market and its fees are read together; one read serves both.
  const readWire = createTimedCache(0, (ticker: string) =>
    absentAs<Wire | undefined>(undefined, async () => {
      const body = await readListedOrArchived(http, ticker);
      const market = asWire(body.market);
      // A response without a market is an error, not proof that the market is absent.
      if (text(market, 'ticker') === '') throw new ExchangeUnavailableError('unreadable', ticker);
      return market;
    }),
  );

  // Concurrent callers share the read in flight.
  const readBook = createTimedCache(0, async (ticker: string) => {
    const body = await absentAs({}, () =>
      http.get(`/markets/${encodeURIComponent(ticker)}/orderbook`),
    );
    return readOrderBook(ticker, body);
  });

  return {
    async getStatus() {
      const body = await http.get('/exchange/status', {}, { isResponse: saysStatus });
      const resumesAt = moment(body.exchange_estimated_resume_time);
      const shards = readShardStatuses(body);
      // The exchange's own fields are those of its default shard.
      return {
        exchangeActive:
          flag(body, 'exchange_active') || shards.some((shard) => shard.exchangeActive),
        tradingActive: flag(body, 'trading_active') || shards.some((shard) => shard.tradingActive),
        shards,
        ...(resumesAt ? { resumesAt } : {}),
      };
    },

    async getSchedule() {
      const body = await http.get('/exchange/schedule');
      return readSchedule(asWire(body.schedule));
    },

    async getMarket(ticker) {
      const wire = await readWire(ticker);
      return wire && toExchangeMarket(wire);
    },

    async getFeeRule(ticker) {
      const market = await readWire(ticker);
      if (!market) return { kind: 'unknown', feeType: 'no such market' };
      const eventTicker = text(market, 'event_ticker') || ticker;
      const event = await events(eventTicker);
      const seriesTicker = text(event, 'series_ticker');
      const isKnown = seriesTicker !== '';
      const [ofSeries, changesOfSeries, changesOfEvent] = await Promise.all([
        isKnown ? series(seriesTicker) : {},
        isKnown ? seriesChanges(seriesTicker) : [],
        eventChanges(eventTicker),
      ]);
      return resolveFee(
        {
          market,
          event,
          series: ofSeries,
          seriesChanges: changesOfSeries,
          eventChanges: changesOfEvent,
        },
        new Date(),
      );
    },

    getOrderBook: readBook,
  };
}

function toExchangeMarket(wire: Wire): ExchangeMarket | undefined {
  const market = readMarket(wire, new Date());
  if (!market) return undefined;
  const { ticker, eventTicker, shard, status, closeAt, priceRanges, final } = market;
  return { ticker, eventTicker, shard, status, closeAt, priceRanges, ...(final ? { final } : {}) };
}

/** Ended markets leave the list after some time; the archive has them then. */
async function readListedOrArchived(http: HttpClient, ticker: string): Promise<Wire> {
  const path = `/markets/${encodeURIComponent(ticker)}`;
  try {
    return await http.get(path);
  } catch (error) {
    if (!(error instanceof ExchangeResponseError) || error.status !== 404) throw error;
    return await http.get(`/historical${path}`);
  }
}

/** While the exchange is down, the error's body is its status. */
function saysStatus(body: Wire): boolean {
  return typeof body.exchange_active === 'boolean';
}

/** Runs a read and maps "not found" to the given value. */
async function absentAs<T>(absent: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ExchangeResponseError && error.status === 404) return absent;
    throw error;
  }
}
