import type { ExchangeCandle } from '#server/exchange/catalogue.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Log } from '#server/platform/log.ts';
import type { HourPrice } from '../catalogue/types.ts';
import { HOUR_MS } from './hours.ts';

/** The exchange's maximum per call. */
const MARKETS_A_CALL = 100;
/** Pause after a failed call to the exchange. */
const REST_MS = 60_000;

/** The exchange's prices for hours before this service recorded any. */
export type HourlyPriceBackfill = {
  /** Keyed by hour in unix milliseconds; undefined until requested. */
  hoursOf: (ticker: string) => ReadonlyMap<number, HourPrice> | undefined;
  /** Requests them in the background, one call at a time; a later read has the result. */
  ask: (
    deps: { exchange: Exchange; log: Log },
    tickers: string[],
    hours: readonly number[],
  ) => void;
  size: () => number;
};

/** In memory only: within a day every shown hour has been recorded. */
export function requestHours(): HourlyPriceBackfill {
  const received = new Map<string, ReadonlyMap<number, HourPrice>>();
  let isAsking = false;
  let restsUntilMs = 0;
  return {
    hoursOf: (ticker) => received.get(ticker),
    size: () => received.size,
    ask(deps, tickers, hours) {
      if (isAsking || Date.now() < restsUntilMs) return;
      isAsking = true;
      const asked = tickers.slice(0, MARKETS_A_CALL);
      read(deps.exchange, asked, hours)
        .then((found) => {
          for (const [ticker, candles] of found) received.set(ticker, hoursIn(candles));
          if (asked.some((ticker) => !found.has(ticker))) restsUntilMs = Date.now() + REST_MS;
        })
        .catch((error: unknown) => {
          restsUntilMs = Date.now() + REST_MS;
          deps.log.warn({ err: error }, 'hourly prices not read');
        })
        .finally(() => {
          isAsking = false;
        });
    },
  };
}

function read(exchange: Exchange, tickers: string[], hours: readonly number[]) {
  return exchange.catalogue.listCandlesOf({
    tickers,
    from: new Date((hours[0] ?? 0) - HOUR_MS),
    to: new Date(hours.at(-1) ?? 0),
    periodMinutes: 60,
  });
}

function hoursIn(candles: readonly ExchangeCandle[]): ReadonlyMap<number, HourPrice> {
  return new Map(
    candles.map(({ at, yesBidMicros, yesAskMicros, lastPriceMicros }) => [
      at.getTime(),
      { yesBidMicros, yesAskMicros, lastPriceMicros },
    ]),
  );
}
