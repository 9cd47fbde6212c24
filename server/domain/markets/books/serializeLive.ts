import type { BookEvent, PriceEvent } from '#lib/api/schemas/stream.ts';
import { contractsNumber, MICROS } from '#lib/money.ts';
import type { CataloguePrices } from '#server/exchange/catalogue.ts';
import {
  askMicros,
  bidMicros,
  lastMicros,
  levelResponse,
  offerResponse,
  priceDollars,
} from '../serializeMarket.ts';
import type { LiveUpdate } from './liveMarket.ts';

export function serializeBookEvent(
  ticker: string,
  update: Extract<LiveUpdate, { version: number }>,
): BookEvent {
  const { version } = update;
  if (update.kind === 'stale') {
    return { kind: 'stale', ticker, version, asOf: update.asOf?.toISOString() ?? null };
  }
  const [yes, no] =
    update.kind === 'snapshot'
      ? [update.book.yesBids, update.book.noBids]
      : [update.yes, update.no];
  return {
    kind: update.kind,
    ticker,
    version,
    yesBids: yes.map(levelResponse),
    yesAsks: no.map(offerResponse),
    asOf: update.asOf.toISOString(),
  };
}

export function serializePrices(prices: CataloguePrices): PriceEvent {
  const bid = bidMicros(prices.yesBidMicros);
  const ask = askMicros(prices.yesAskMicros);
  const contracts = (micros: bigint | undefined) =>
    micros === undefined ? null : contractsNumber(micros);
  return {
    ticker: prices.ticker,
    yesBidDollars: priceDollars(bid),
    yesAskDollars: priceDollars(ask),
    noBidDollars: priceDollars(MICROS - ask),
    noAskDollars: priceDollars(MICROS - bid),
    lastPriceDollars: priceDollars(lastMicros(prices.lastPriceMicros)),
    volume: contracts(prices.volumeContractMicros),
    openInterest: contracts(prices.openInterestContractMicros),
  };
}
