import { MICROS } from '#lib/money.ts';
import type { Level } from '../book.ts';
import { targetQuotes } from '../bots.ts';
import { observedValue } from '../fairPrice.ts';
import { HOUR_MS } from '../history.ts';
import {
  beliefIn,
  deadlineAfterMsOf,
  type ExchangeMarket,
  isScalar,
  type MarketResult,
  payoutMicrosOf,
  publishedCloseOf,
  statusOf,
} from '../market.ts';
import { shardOfSeries } from '../shards.ts';
import { TICK_STRUCTURES, type TickStructure } from '../ticks.ts';
import { count, dollars, time } from './wire.ts';

/** A market's record in a response. */
export type MarketWire = ReturnType<typeof marketWire>;

/** Every field of a market's record that changes while the market lives. */
export type MarketFields = ReturnType<typeof marketFields>;

type Top = { priceMicros: bigint; sizeMicros: bigint } | undefined;

/** Best bid and ask in YES terms; from the makers' target quotes while there is no book. */
export function topOf(market: ExchangeMarket, now: number): { bid: Top; ask: Top } {
  const { book } = market;
  if (book && market.quotedFair !== undefined) {
    return { bid: topLevel(book.bids[0]), ask: topLevel(book.asks[0]) };
  }
  if (statusOf(market, now) !== 'active') return { bid: undefined, ask: undefined };
  const { bids, asks } = targetQuotes(market, beliefIn(market, now), 1);
  const rung = (item: (typeof bids)[number] | undefined): Top =>
    item && { priceMicros: item.priceMicros, sizeMicros: item.contractMicros };
  return { bid: rung(bids[0]), ask: rung(asks[0]) };
}

function topLevel(level: Level | undefined): Top {
  return level && { priceMicros: level.priceMicros, sizeMicros: level.totalMicros };
}

export function marketFields(market: ExchangeMarket, now: number) {
  const { state } = market;
  const { openAt, closeAt, finalAt } = state.schedule;
  const status = statusOf(market, now);
  const { bid, ask } = topOf(market, now);
  const isDetermined = ['determined', 'disputed', 'amended', 'finalized'].includes(status);
  return {
    status,
    updatedAt: state.updatedAt,
    openAt,
    closeAt: publishedCloseOf(market, now),
    expectedEndAt: closeAt,
    finalAt,
    bidMicros: bid?.priceMicros ?? 0n,
    bidSizeMicros: bid?.sizeMicros ?? 0n,
    askMicros: ask?.priceMicros ?? MICROS,
    askSizeMicros: ask?.sizeMicros ?? 0n,
    lastMicros: state.lastPriceMicros ?? 0n,
    yesterdayMicros: previousPrice(market, now),
    volumeMicros: state.liveVolumeMicros,
    volume24hMicros: volume24h(market, now),
    openInterestMicros: state.openInterestMicros,
    structure: state.structure,
    result: isDetermined ? resultOf(market) : undefined,
    payoutMicros: isDetermined ? payoutMicrosOf(market) : undefined,
    feeWaivedUntil: state.feeWaivedUntil,
  };
}

/** Reads only constant fields of the market itself. */
export function marketWire(
  { ticker, event, spec }: Pick<ExchangeMarket, 'ticker' | 'event' | 'spec'>,
  facts: MarketFields,
) {
  const { template } = event;
  const canCloseEarly = deadlineAfterMsOf({ event }) > 0;
  return {
    ticker,
    event_ticker: event.ticker,
    market_type: template.marketType ?? 'binary',
    title: spec.title,
    subtitle: spec.yesSubTitle,
    yes_sub_title: spec.yesSubTitle,
    no_sub_title: spec.noSubTitle,
    created_time: time(event.createdAt),
    updated_time: time(facts.updatedAt),
    open_time: time(facts.openAt),
    close_time: time(facts.closeAt),
    expected_expiration_time: time(facts.expectedEndAt),
    occurrence_datetime: template.cadence.unit === 'day' ? time(facts.expectedEndAt) : null,
    expiration_time: time(facts.closeAt + 7 * 24 * HOUR_MS),
    latest_expiration_time: time(facts.closeAt + 7 * 24 * HOUR_MS),
    settlement_timer_seconds: template.settlementTimerSeconds,
    status: facts.status,
    ...pricesWire(facts),
    volume_fp: count(facts.volumeMicros),
    volume_24h_fp: count(facts.volume24hMicros),
    open_interest_fp: count(facts.openInterestMicros),
    notional_value_dollars: '1.0000',
    can_close_early: canCloseEarly,
    ...(canCloseEarly
      ? { early_close_condition: 'This market closes once its outcome is known.' }
      : {}),
    rules_primary: spec.rulesPrimary,
    rules_secondary: template.rulesSecondary,
    price_level_structure: facts.structure,
    price_ranges: rangesWire(facts.structure),
    settlement_bounds_type: 'default',
    exchange_index: shardOfSeries(template),
    ...strikeWire(spec),
    ...resultWire(event, facts),
    ...(facts.feeWaivedUntil ? { fee_waiver_expiration_time: time(facts.feeWaivedUntil) } : {}),
  };
}

function pricesWire({ bidMicros, askMicros, yesterdayMicros, ...facts }: MarketFields) {
  const yesterday = yesterdayMicros;
  return {
    yes_bid_dollars: dollars(bidMicros),
    yes_ask_dollars: dollars(askMicros),
    no_bid_dollars: dollars(MICROS - askMicros),
    no_ask_dollars: dollars(MICROS - bidMicros),
    yes_bid_size_fp: count(facts.bidSizeMicros),
    yes_ask_size_fp: count(facts.askSizeMicros),
    last_price_dollars: dollars(facts.lastMicros),
    previous_price_dollars: dollars(yesterday),
    previous_yes_bid_dollars: dollars(yesterday > 10_000n ? yesterday - 10_000n : 0n),
    previous_yes_ask_dollars: dollars(yesterday === 0n ? MICROS : yesterday + 10_000n),
  };
}

/** The price of a day ago, to the cent; undefined when the market was not open then. */
function previousPrice(market: ExchangeMarket, now: number): bigint {
  const at = Math.min(now, market.state.schedule.closeAt) - 24 * HOUR_MS;
  if (at < market.state.schedule.openAt) return 0n;
  const centsThen = Math.min(Math.max(Math.round(beliefIn(market, at) * 100), 1), 98);
  return BigInt(centsThen) * 10_000n;
}

export function rangesWire(structure: TickStructure) {
  return TICK_STRUCTURES[structure].map((range) => ({
    start: dollars(range.startMicros),
    end: dollars(range.endMicros),
    step: dollars(range.stepMicros),
  }));
}

function strikeWire({ strike }: ExchangeMarket['spec']) {
  return {
    strike_type: strike.type,
    ...(strike.floor === undefined ? {} : { floor_strike: strike.floor }),
    ...(strike.cap === undefined ? {} : { cap_strike: strike.cap }),
    ...(strike.custom === undefined ? {} : { custom_strike: { value: strike.custom } }),
  };
}

export function resultOf(market: ExchangeMarket): MarketResult {
  if (market.state.resultOverride !== undefined) return market.state.resultOverride;
  const payout = payoutMicrosOf(market);
  if (isScalar(market) || (payout !== 0n && payout !== MICROS)) return 'scalar';
  return payout === MICROS ? 'yes' : 'no';
}

function resultWire({ spec, life }: ExchangeMarket['event'], facts: MarketFields) {
  const { result, payoutMicros } = facts;
  if (result === undefined || payoutMicros === undefined) {
    return { result: '', expiration_value: '' };
  }
  const observed = observedValue(spec.model, life);
  return {
    result,
    expiration_value: observed === undefined ? '' : observed.toFixed(4),
    settlement_value_dollars: dollars(payoutMicros),
    ...(facts.status === 'finalized' ? { settlement_ts: time(facts.finalAt) } : {}),
  };
}

function volume24h(market: ExchangeMarket, now: number): bigint {
  const since = Math.floor(now / HOUR_MS) - 24;
  let total = 0n;
  for (const [hour, volume] of market.state.hourly) if (hour > since) total += volume;
  return total;
}
