import { MICROS } from '#lib/money.ts';
import type { CatalogueMarket } from '../catalogue.ts';
import type { ExchangeFinalResult } from '../port.ts';
import { marketStatusOf } from './marketStatus.ts';
import { priceRangesOf } from './priceRanges.ts';
import { shardOf } from './shards.ts';
import { asList, asWire, countMicros, flag, moment, priceMicros, text, type Wire } from './wire.ts';

const LONGEST_TICKER = 200;

/** Parses a market record of any API version; undefined without a ticker or an end time. */
export function readMarket(wire: Wire, now: Date): CatalogueMarket | undefined {
  const ticker = text(wire, 'ticker', 'market_ticker');
  const openAt = moment(wire.open_time);
  const closeAt = moment(wire.close_time);
  const latest = moment(wire.latest_expiration_time) ?? moment(wire.expiration_time);
  const expected = moment(wire.expected_expiration_time);
  const endAt = closeAt ?? latest ?? expected;
  if (!isTicker(ticker) || !endAt) return undefined;
  const exchangeStatus = text(wire, 'status').toLowerCase();
  const status = marketStatusOf(exchangeStatus, { openAt, closeAt: endAt }, now);
  const occurrence = moment(wire.occurrence_datetime);
  const createdAt = moment(wire.created_time) ?? openAt ?? moment(wire.updated_time) ?? endAt;
  const final = status === 'settled' ? readFinal(wire, endAt) : undefined;
  return {
    ticker,
    eventTicker: text(wire, 'event_ticker') || ticker,
    shard: shardOf(wire),
    title: text(wire, 'title') || text(wire, 'yes_sub_title', 'subtitle') || ticker,
    yesSubTitle: text(wire, 'yes_sub_title', 'subtitle'),
    noSubTitle: text(wire, 'no_sub_title'),
    marketType: text(wire, 'market_type') || 'binary',
    status,
    exchangeStatus,
    ...readPrices(wire),
    volumeContractMicros: countMicros(wire, 'volume') ?? 0n,
    volume24hContractMicros: countMicros(wire, 'volume_24h') ?? 0n,
    openInterestContractMicros: countMicros(wire, 'open_interest') ?? 0n,
    createdAt,
    updatedAt: moment(wire.updated_time) ?? createdAt,
    openAt: openAt ?? createdAt,
    closeAt: endAt,
    expirationAt: expected ?? latest ?? endAt,
    expectedEndAt: earliest(occurrence ?? expected ?? endAt, endAt),
    canCloseEarly: flag(wire, 'can_close_early'),
    earlyCloseCondition: text(wire, 'early_close_condition'),
    proposedResult: readProposedResult(wire, exchangeStatus),
    ...readStrike(wire),
    rulesPrimary: text(wire, 'rules_primary'),
    rulesSecondary: text(wire, 'rules_secondary'),
    priceRanges: priceRangesOf(wire),
    isOffered: !isCombination(wire, ticker) && !flag(wire, 'is_provisional'),
    ...(final ? { final } : {}),
  };
}

function earliest(a: Date, b: Date): Date {
  return a < b ? a : b;
}

/** Statuses in which a result is known and can still change. */
const UNDER_REVIEW = new Set(['determined', 'disputed', 'amended']);

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function readProposedResult(wire: Wire, exchangeStatus: string): string | null {
  return UNDER_REVIEW.has(exchangeStatus) ? text(wire, 'result').toLowerCase() || null : null;
}

/**
 * Markets of one event differ by a number, by a name, or by both: then the name (a player, a team)
 * groups the numbers.
 */
function readStrike(wire: Wire): Pick<CatalogueMarket, 'strike' | 'strikeGroup'> {
  const strike = [wire.floor_strike, wire.cap_strike].find(isFiniteNumber);
  const custom = asWire(wire.custom_strike);
  const group = Object.keys(custom)
    .map((name) => text(custom, name))
    .join(' ')
    .trim();
  return { strike: strike ?? null, strikeGroup: group || null };
}

/** Whether a text is a valid ticker: tickers end up in paths and indexes. */
export function isTicker(ticker: string): boolean {
  return ticker !== '' && ticker.length <= LONGEST_TICKER && !/[\s/?#\\]/.test(ticker);
}

function readPrices(wire: Wire) {
  const bid = priceMicros(wire, 'yes_bid') ?? complement(priceMicros(wire, 'no_ask'));
  const ask = priceMicros(wire, 'yes_ask') ?? complement(priceMicros(wire, 'no_bid'));
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

function complement(micros: bigint | undefined): bigint | undefined {
  return micros === undefined ? undefined : MICROS - micros;
}

/** The exchange encodes an empty side as a bid of zero or an ask of a dollar. */
export function levelOrNull(micros: bigint | undefined): bigint | null {
  return micros === undefined || micros <= 0n || micros >= MICROS ? null : micros;
}

/** Combinations of other markets, recognised by their components, collection or names. */
function isCombination(wire: Wire, ticker: string): boolean {
  return (
    text(wire, 'mve_collection_ticker') !== '' ||
    asList(wire.mve_selected_legs).length > 0 ||
    ticker.startsWith('KXMVE') ||
    text(wire, 'event_ticker').startsWith('KXMVE')
  );
}

/**
 * The payout of a finalised market. A plain yes or no pays a dollar or nothing; a different value
 * contradicts it. Scalar and void pay their accompanying value. Undefined when the payout is
 * ambiguous, as with a value under a missing or unknown result: then nothing may be paid out.
 */
export function readFinal(wire: Wire, closeAt: Date): ExchangeFinalResult | undefined {
  const settledAt = moment(wire.settlement_ts) ?? moment(wire.updated_time) ?? closeAt;
  const result = text(wire, 'result').toLowerCase();
  const value = priceMicros(wire, 'settlement_value');
  if (result === 'yes' || result === 'no') {
    const payoutYesMicros = result === 'yes' ? MICROS : 0n;
    const isPlain = value === undefined || value === payoutYesMicros;
    return isPlain ? { payoutYesMicros, result, settledAt } : undefined;
  }
  if (value === undefined) return undefined;
  if (result === 'void') return { payoutYesMicros: value, result, settledAt };
  if (result !== 'scalar') return undefined;
  return {
    payoutYesMicros: value,
    result: value === MICROS ? 'yes' : value === 0n ? 'no' : 'scalar',
    settledAt,
  };
}
