import { divide, formatMicrosFixed, MICROS } from '#lib/money.ts';
import type { Level } from '../book.ts';
import { wishOf } from '../bots.ts';
import type { SeriesTemplate } from '../catalogue/template.ts';
import { observedValue } from '../fairPrice.ts';
import { HOUR_MS, type Trade } from '../history.ts';
import {
  beliefIn,
  type ExchangeEvent,
  type ExchangeMarket,
  isScalar,
  payoutMicrosOf,
  statusOf,
} from '../market.ts';
import type { Fill, Order } from '../order.ts';
import { type Exchange, eventFeesOf, seriesFeesOf } from '../state.ts';
import { subaccountNumber } from '../subaccounts.ts';
import { TICK_STRUCTURES } from '../ticks.ts';

/** The exchange's records as they travel: prices with four or more decimals, counts with two. */

export const dollars = (micros: bigint) => formatMicrosFixed(micros, 4);
export const count = (micros: bigint) => formatMicrosFixed(micros, 2);
export const time = (at: number) => new Date(at).toISOString();
const cents = (micros: bigint) => Number(divide(micros, 10_000n, 'down'));

type Top = { priceMicros: bigint; sizeMicros: bigint } | undefined;

/** Best bid and ask in YES terms; from the makers' wish while nobody has opened the book. */
export function topOf(market: ExchangeMarket, now: number): { bid: Top; ask: Top } {
  const { book } = market;
  if (book && market.quotedFair !== undefined) {
    return { bid: topLevel(book.bids[0]), ask: topLevel(book.asks[0]) };
  }
  if (statusOf(market, now) !== 'active') return { bid: undefined, ask: undefined };
  const { bids, asks } = wishOf(market, beliefIn(market, now));
  const rung = (item: (typeof bids)[number] | undefined): Top =>
    item && { priceMicros: item.priceMicros, sizeMicros: item.contractMicros };
  return { bid: rung(bids[0]), ask: rung(asks[0]) };
}

function topLevel(level: Level | undefined): Top {
  return level && { priceMicros: level.priceMicros, sizeMicros: level.totalMicros };
}

export function marketWire(market: ExchangeMarket, now: number) {
  const { state, event, spec } = market;
  const { template } = event;
  const { schedule } = state;
  return {
    ticker: market.ticker,
    event_ticker: event.ticker,
    market_type: template.marketType ?? 'binary',
    title: spec.title,
    subtitle: spec.yesSubTitle,
    yes_sub_title: spec.yesSubTitle,
    no_sub_title: spec.noSubTitle,
    created_time: time(event.createdAt),
    updated_time: time(state.updatedAt),
    open_time: time(schedule.openAt),
    close_time: time(schedule.closeAt),
    expected_expiration_time: time(schedule.determinedAt),
    expiration_time: time(schedule.closeAt + 7 * 24 * HOUR_MS),
    latest_expiration_time: time(schedule.closeAt + 7 * 24 * HOUR_MS),
    settlement_timer_seconds: template.settlementTimerSeconds,
    status: statusOf(market, now),
    ...pricesWire(market, now),
    volume_fp: count(state.liveVolumeMicros),
    volume_24h_fp: count(volume24h(market, now)),
    open_interest_fp: count(state.openInterestMicros),
    notional_value_dollars: '1.0000',
    can_close_early: false,
    rules_primary: spec.rulesPrimary,
    rules_secondary: template.rulesSecondary,
    price_level_structure: state.structure,
    price_ranges: rangesWire(market),
    settlement_bounds_type: 'default',
    exchange_index: 0,
    ...strikeWire(market),
    ...resultWire(market, now),
    ...(state.feeWaivedUntil ? { fee_waiver_expiration_time: time(state.feeWaivedUntil) } : {}),
  };
}

function pricesWire(market: ExchangeMarket, now: number) {
  const { bid, ask } = topOf(market, now);
  const yesBid = bid?.priceMicros ?? 0n;
  const yesAsk = ask?.priceMicros ?? MICROS;
  const yesterday = previousPrice(market, now);
  return {
    yes_bid_dollars: dollars(yesBid),
    yes_ask_dollars: dollars(yesAsk),
    no_bid_dollars: dollars(MICROS - yesAsk),
    no_ask_dollars: dollars(MICROS - yesBid),
    yes_bid_size_fp: count(bid?.sizeMicros ?? 0n),
    yes_ask_size_fp: count(ask?.sizeMicros ?? 0n),
    last_price_dollars: dollars(market.state.lastPriceMicros ?? 0n),
    previous_price_dollars: dollars(yesterday),
    previous_yes_bid_dollars: dollars(yesterday > 10_000n ? yesterday - 10_000n : 0n),
    previous_yes_ask_dollars: dollars(yesterday === 0n ? MICROS : yesterday + 10_000n),
  };
}

/** The price of a day ago, to the cent; nothing when the market was not open then. */
function previousPrice(market: ExchangeMarket, now: number): bigint {
  const at = Math.min(now, market.state.schedule.closeAt) - 24 * HOUR_MS;
  if (at < market.state.schedule.openAt) return 0n;
  const centsThen = Math.min(Math.max(Math.round(beliefIn(market, at) * 100), 1), 98);
  return BigInt(centsThen) * 10_000n;
}

export function rangesWire(market: ExchangeMarket) {
  return TICK_STRUCTURES[market.state.structure].map((range) => ({
    start: dollars(range.startMicros),
    end: dollars(range.endMicros),
    step: dollars(range.stepMicros),
  }));
}

function strikeWire(market: ExchangeMarket) {
  const { strike } = market.spec;
  return {
    strike_type: strike.type,
    ...(strike.floor === undefined ? {} : { floor_strike: strike.floor }),
    ...(strike.cap === undefined ? {} : { cap_strike: strike.cap }),
    ...(strike.custom === undefined ? {} : { custom_strike: { value: strike.custom } }),
  };
}

export function resultOf(market: ExchangeMarket): 'yes' | 'no' | 'scalar' | 'void' {
  if (market.state.resultOverride) return market.state.resultOverride;
  const payout = payoutMicrosOf(market);
  if (isScalar(market) || (payout !== 0n && payout !== MICROS)) return 'scalar';
  return payout === MICROS ? 'yes' : 'no';
}

function resultWire(market: ExchangeMarket, now: number) {
  const status = statusOf(market, now);
  const isDetermined = ['determined', 'disputed', 'amended', 'finalized'].includes(status);
  if (!isDetermined) return { result: '', expiration_value: '' };
  const observed = observedValue(market.event.spec.model, market.event.life);
  return {
    result: resultOf(market),
    expiration_value: observed === undefined ? '' : observed.toFixed(4),
    settlement_value_dollars: dollars(payoutMicrosOf(market)),
    ...(status === 'finalized' ? { settlement_ts: time(market.state.schedule.finalAt) } : {}),
  };
}

function volume24h(market: ExchangeMarket, now: number): bigint {
  const since = Math.floor(now / HOUR_MS) - 24;
  let total = 0n;
  for (const [hour, volume] of market.state.hourly) if (hour > since) total += volume;
  return total;
}

export function eventWire(
  exchange: Exchange,
  event: ExchangeEvent,
  markets?: ReturnType<typeof marketWire>[],
) {
  const { template, spec } = event;
  const fees = eventFeesOf(exchange, event, exchange.clock.now());
  return {
    event_ticker: event.ticker,
    series_ticker: template.ticker,
    title: spec.title,
    sub_title: spec.subTitle,
    collateral_return_type: spec.mutuallyExclusive ? 'MECNET' : '',
    mutually_exclusive: spec.mutuallyExclusive,
    category: template.category,
    strike_date: time(event.life.closeAt),
    settlement_sources: [template.source],
    exchange_index: 0,
    ...(fees
      ? {
          fee_type_override: fees.feeType,
          fee_multiplier_override: Number(fees.multiplierMicros) / 1e6,
        }
      : {}),
    ...(markets ? { markets } : {}),
  };
}

export function seriesWire(exchange: Exchange, template: SeriesTemplate, volumeMicros?: bigint) {
  const fees = seriesFeesOf(exchange, { template }, exchange.clock.now());
  return {
    ticker: template.ticker,
    title: template.title,
    category: template.category,
    categories: [template.category],
    tags: template.tags,
    frequency: template.frequency,
    fee_type: fees.feeType,
    fee_multiplier: Number(fees.multiplierMicros) / 1e6,
    contract_url: 'https://example.org/contracts',
    contract_terms_url: 'https://example.org/contract-terms',
    settlement_sources: [template.source],
    additional_prohibitions: [],
    exchange_index: 0,
    ...(volumeMicros === undefined ? {} : { volume_fp: count(volumeMicros) }),
  };
}

/** Bids of both sides, lowest first, the best one last. */
export function bookWire(market: ExchangeMarket, depth: number) {
  const { book } = market;
  const most = depth > 0 ? depth : Number.POSITIVE_INFINITY;
  const side = (levels: Level[], price: (level: Level) => bigint) =>
    levels
      .slice(0, most)
      .map((level) => [dollars(price(level)), count(level.totalMicros)])
      .reverse();
  return {
    yes_dollars: side(book?.bids ?? [], (level) => level.priceMicros),
    no_dollars: side(book?.asks ?? [], (level) => MICROS - level.priceMicros),
  };
}

export function tradeWire(trade: Trade) {
  const outcome = trade.takerSide === 'bid' ? 'yes' : 'no';
  return {
    trade_id: trade.tradeId,
    ticker: trade.ticker,
    count_fp: count(trade.contractMicros),
    yes_price_dollars: dollars(trade.priceMicros),
    no_price_dollars: dollars(MICROS - trade.priceMicros),
    taker_side: outcome,
    taker_outcome_side: outcome,
    taker_book_side: trade.takerSide,
    created_time: time(trade.at),
    is_block_trade: false,
  };
}

export function orderWire(order: Order) {
  const outcome = order.side === 'bid' ? 'yes' : 'no';
  return {
    order_id: order.orderId,
    user_id: order.accountId.split('#')[0],
    client_order_id: order.clientOrderId,
    ticker: order.ticker,
    side: outcome,
    action: 'buy',
    outcome_side: outcome,
    book_side: order.side,
    type: 'limit',
    status: order.status,
    yes_price_dollars: dollars(order.priceMicros),
    no_price_dollars: dollars(MICROS - order.priceMicros),
    initial_count_fp: count(order.initialMicros),
    fill_count_fp: count(order.filledMicros),
    remaining_count_fp: count(order.remainingMicros),
    taker_fill_cost_dollars: dollars(order.takerCostMicros),
    maker_fill_cost_dollars: dollars(order.makerCostMicros),
    taker_fees_dollars: dollars(order.takerFeesMicros),
    maker_fees_dollars: dollars(order.makerFeesMicros),
    expiration_time: order.expiresAt === undefined ? null : time(order.expiresAt),
    created_time: time(order.createdAt),
    last_update_time: time(order.updatedAt),
    self_trade_prevention_type: order.selfTrade,
    cancel_order_on_pause: order.cancelOnPause,
    ...(order.orderGroupId ? { order_group_id: order.orderGroupId } : {}),
    subaccount_number: subaccountNumber(order.accountId),
    exchange_index: 0,
  };
}

export function fillWire(fill: Fill) {
  const outcome = fill.side === 'bid' ? 'yes' : 'no';
  return {
    fill_id: fill.fillId,
    trade_id: fill.fillId,
    order_id: fill.orderId,
    ticker: fill.ticker,
    market_ticker: fill.ticker,
    side: outcome,
    action: 'buy',
    outcome_side: outcome,
    book_side: fill.side,
    count_fp: count(fill.contractMicros),
    yes_price_dollars: dollars(fill.priceMicros),
    no_price_dollars: dollars(MICROS - fill.priceMicros),
    is_taker: fill.isTaker,
    fee_cost: dollars(fill.feeMicros),
    created_time: time(fill.at),
    ts: Math.floor(fill.at / 1000),
    exchange_index: 0,
    subaccount_number: subaccountNumber(fill.accountId),
  };
}

/** Whole cents, rounded down, for the few fields that are still integers. */
export const wholeCents = cents;
