import type { ExchangeCandle } from '#server/exchange/catalogue.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Log } from '#server/platform/log.ts';
import type { HourPrice } from '../catalogue/types.ts';
import { HOUR_MS } from './hours.ts';

/** The most that the exchange answers for in one call. */
const MARKETS_A_CALL = 100;
/** An exchange that did not answer is left alone for so long. */
const REST_MS = 60_000;

/** What the exchange told of hours before anything was recorded here. */
export type HourlyPriceBackfill = {
  /** By the hour in unix milliseconds; undefined while it was not asked for. */
  hoursOf: (ticker: string) => ReadonlyMap<number, HourPrice> | undefined;
  /** Asks for it in the background, one call at a time; the next who looks has the answer. */
  ask: (
    deps: { exchange: Exchange; log: Log },
    tickers: string[],
    hours: readonly number[],
  ) => void;
  size: () => number;
};

/** Keeps it in memory only: in a day everything that is shown has been recorded. */
export function requestHours(): HourlyPriceBackfill {
  const told = new Map<string, ReadonlyMap<number, HourPrice>>();
  let isAsking = false;
  let restsUntilMs = 0;
  return {
    hoursOf: (ticker) => told.get(ticker),
    size: () => told.size,
    ask(deps, tickers, hours) {
      if (isAsking || Date.now() < restsUntilMs) return;
      isAsking = true;
      const asked = tickers.slice(0, MARKETS_A_CALL);
      read(deps.exchange, asked, hours)
        .then((found) => {
          for (const ticker of asked) told.set(ticker, hoursIn(found.get(ticker) ?? []));
        })
        .catch((error: unknown) => {
          restsUntilMs = Date.now() + REST_MS;
          deps.log.warn({ err: error }, 'hours of prices not read');
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
