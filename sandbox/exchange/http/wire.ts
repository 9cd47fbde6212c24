import { divide, formatMicrosFixed, MICROS } from '#lib/money.ts';
import type { Level } from '../book.ts';
import type { SeriesTemplate } from '../catalogue/template.ts';
import type { Trade } from '../history.ts';
import type { ExchangeEvent, ExchangeMarket } from '../market.ts';
import type { Fill, Order } from '../order.ts';
import { shardOfSeries } from '../shards.ts';
import { type Exchange, eventFeesOf, seriesFeesOf } from '../state.ts';
import { subaccountNumber } from '../subaccounts.ts';
import type { MarketWire } from './marketWire.ts';

/** The exchange's records in responses: prices with four or more decimals, counts with two. */

export const dollars = (micros: bigint) => formatMicrosFixed(micros, 4);
export const count = (micros: bigint) => formatMicrosFixed(micros, 2);
export const time = (at: number) => new Date(at).toISOString();
const cents = (micros: bigint) => Number(divide(micros, 10_000n, 'down'));

export function eventWire(exchange: Exchange, event: ExchangeEvent, markets?: MarketWire[]) {
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
    exchange_index: shardOfSeries(template),
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
    exchange_index: shardOfSeries(template),
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
    exchange_index: order.shard,
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
    exchange_index: fill.shard,
    subaccount_number: subaccountNumber(fill.accountId),
  };
}

/** Whole cents, rounded down, for the few fields that are still integers. */
export const wholeCents = cents;
