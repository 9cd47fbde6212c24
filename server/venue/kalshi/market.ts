import { MICROS } from '#lib/money.ts';
import type { CatalogueMarket } from '../catalogue.ts';
import type { VenueFinalResult } from '../port.ts';
import { marketStatusOf } from './marketStatus.ts';
import { priceRangesOf } from './priceRanges.ts';
import { countMicros, flag, moment, priceMicros, text, type Wire } from './wire.ts';

const BEGINNING = new Date(0);

/** A market record of the exchange, of either era; undefined when it names no market. */
export function readMarket(wire: Wire, now: Date): CatalogueMarket | undefined {
  const ticker = text(wire, 'ticker', 'market_ticker');
  if (ticker === '') return undefined;
  const venueStatus = text(wire, 'status');
  const openAt = moment(wire.open_time);
  const closeAt = moment(wire.close_time);
  const latest = moment(wire.latest_expiration_time) ?? moment(wire.expiration_time);
  const createdAt = moment(wire.created_time) ?? openAt ?? BEGINNING;
  const status = marketStatusOf(venueStatus, { openAt, closeAt }, now);
  const final = status === 'settled' ? readFinal(wire, closeAt) : undefined;
  return {
    ticker,
    eventTicker: text(wire, 'event_ticker') || ticker,
    title: text(wire, 'title') || text(wire, 'yes_sub_title') || ticker,
    yesSubTitle: text(wire, 'yes_sub_title', 'subtitle'),
    noSubTitle: text(wire, 'no_sub_title'),
    marketType: text(wire, 'market_type') || 'binary',
    status,
    venueStatus,
    ...readPrices(wire),
    volumeContractMicros: countMicros(wire, 'volume') ?? 0n,
    volume24hContractMicros: countMicros(wire, 'volume_24h') ?? 0n,
    openInterestContractMicros: countMicros(wire, 'open_interest') ?? 0n,
    createdAt,
    updatedAt: moment(wire.updated_time) ?? createdAt,
    openAt: openAt ?? createdAt,
    closeAt: closeAt ?? latest ?? BEGINNING,
    expirationAt: moment(wire.expected_expiration_time) ?? latest ?? closeAt ?? BEGINNING,
    rulesPrimary: text(wire, 'rules_primary'),
    rulesSecondary: text(wire, 'rules_secondary'),
    priceRanges: priceRangesOf(wire),
    isOffered: !isCombination(wire, ticker) && !flag(wire, 'is_provisional'),
    ...(final ? { final } : {}),
  };
}

function readPrices(wire: Wire) {
  const bid = priceMicros(wire, 'yes_bid');
  const ask = priceMicros(wire, 'yes_ask');
  const last = priceMicros(wire, 'last_price');
  const previous = priceMicros(wire, 'previous_price');
  return {
    yesBidMicros: levelOrNull(bid),
    yesAskMicros: levelOrNull(ask),
    yesBidContractMicros: countMicros(wire, 'yes_bid_size') ?? 0n,
    yesAskContractMicros: countMicros(wire, 'yes_ask_size') ?? 0n,
    lastPriceMicros: last ? last : null,
    previousPriceMicros: previous ? previous : null,
  };
}

/** A bid of zero and an ask of a dollar are how the exchange writes that nobody is there. */
export function levelOrNull(micros: bigint | undefined): bigint | null {
  return micros === undefined || micros <= 0n || micros >= MICROS ? null : micros;
}

function isCombination(wire: Wire, ticker: string): boolean {
  return text(wire, 'mve_collection_ticker') !== '' || ticker.startsWith('KXMVE');
}

/**
 * How a finalised market pays. The value counts when given; without it only a plain yes or no can
 * be told. Undefined when neither says: then nothing may be paid out.
 */
export function readFinal(wire: Wire, closeAt: Date | undefined): VenueFinalResult | undefined {
  const settledAt = moment(wire.settlement_ts) ?? moment(wire.updated_time) ?? closeAt ?? BEGINNING;
  const result = text(wire, 'result').toLowerCase();
  const value = priceMicros(wire, 'settlement_value');
  const payoutYesMicros = value ?? (result === 'yes' ? MICROS : result === 'no' ? 0n : undefined);
  if (payoutYesMicros === undefined || payoutYesMicros < 0n || payoutYesMicros > MICROS) {
    return undefined;
  }
  if (result === 'void') return { payoutYesMicros, result, settledAt };
  if (payoutYesMicros === MICROS) return { payoutYesMicros, result: 'yes', settledAt };
  if (payoutYesMicros === 0n) return { payoutYesMicros, result: 'no', settledAt };
  return { payoutYesMicros, result: 'scalar', settledAt };
}
