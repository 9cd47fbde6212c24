import type { Log } from '../../platform/log.ts';
import type { ExchangeCandle, ExchangeCatalogue } from '../catalogue.ts';
import { ExchangeResponseError } from '../errors.ts';
import { unlessMissing } from './archive.ts';
import type { HttpClient } from './httpClient.ts';
import { levelOrNull } from './market.ts';
import { readWhole } from './readEach.ts';
import { asWire, countMicros, moment, priceMicros, text, type Wire } from './wire.ts';

/** By ticker. */
type Candles = readonly [string, ExchangeCandle[]];
type Span = { from: Date; to: Date; periodMinutes: 1 | 60 | 1440 };

export function createCandleReads(
  http: HttpClient,
  log: Log,
): Pick<ExchangeCatalogue, 'listCandles' | 'listCandlesOf'> {
  const readAll = (body: Wire) => readWhole(body.candlesticks, 'candle', log, readCandle);

  async function listCandlesOf(tickers: string[], span: Span): Promise<Candles[]> {
    const body = await unlessMissing(() =>
      http.get('/markets/candlesticks', { market_tickers: tickers.join(','), ...spanOf(span) }),
    );
    if (body) {
      return readWhole(body.markets, 'market with candles', log, (wire) => {
        const ticker = text(wire, 'market_ticker', 'ticker');
        return ticker === '' ? undefined : ([ticker, readAll(wire)] as const);
      });
    }
    // One that is archived fails the whole call; it has no recent candles.
    if (tickers.length <= 1) return tickers.map((ticker) => [ticker, []] as const);
    const middle = Math.ceil(tickers.length / 2);
    const halves = [tickers.slice(0, middle), tickers.slice(middle)];
    return (await Promise.all(halves.map((half) => listCandlesOf(half, span)))).flat();
  }

  return {
    async listCandles({ seriesTicker, ticker, ...span }) {
      const [series, market] = [encodeURIComponent(seriesTicker), encodeURIComponent(ticker)];
      const path = `/markets/${market}/candlesticks`;
      const live = await unlessMissing(() => http.get(`/series/${series}${path}`, spanOf(span)));
      const candles = live && readAll(live);
      if (candles && candles.length > 0) return candles;
      // Candles are archived with their market.
      const archived = await unlessMissing(() => http.get(`/historical${path}`, spanOf(span)));
      if (archived) return readAll(archived);
      if (!candles) throw new ExchangeResponseError(404, 'not_found', path);
      return candles;
    },

    async listCandlesOf({ tickers, ...span }) {
      return new Map(await listCandlesOf(tickers, span));
    },
  };
}

function spanOf({ from, to, periodMinutes }: Span) {
  return { start_ts: seconds(from), end_ts: seconds(to), period_interval: periodMinutes };
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

/** Live endpoints suffix the names of candles, historical ones do not. */
function readCandle(wire: Wire): ExchangeCandle | undefined {
  const at = moment(wire.end_period_ts);
  if (!at) return undefined;
  const price = asWire(wire.price);
  const close = priceMicros(price, 'close') ?? priceMicros(price, 'previous');
  return {
    at,
    yesBidMicros: levelOrNull(priceMicros(asWire(wire.yes_bid), 'close')),
    yesAskMicros: levelOrNull(priceMicros(asWire(wire.yes_ask), 'close')),
    lastPriceMicros: close ? close : null,
    volumeContractMicros: countMicros(wire, 'volume') ?? 0n,
  };
}
