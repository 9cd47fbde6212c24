import { MICROS } from '#lib/money.ts';
import type { Trade } from '../history.ts';
import { type ExchangeMarket, payoutMicrosOf, publishedCloseOf } from '../market.ts';
import type { Fill } from '../order.ts';
import type { Signal } from '../signals.ts';
import type { Exchange } from '../state.ts';
import { rangesWire, resultOf, topOf } from './marketWire.ts';
import { complement, type Subscription } from './subscription.ts';
import { count, dollars, orderWire, tradeWire } from './wire.ts';

type Message = { type: string; msg: Record<string, unknown> };

/** A subscription's message for a signal; undefined when it is irrelevant to it. */
export function messagesOf(
  exchange: Exchange,
  signal: Signal,
  subscription: Subscription,
  accountId: string,
): Message | undefined {
  const concerns = (ticker: string) => !subscription.tickers || subscription.tickers.has(ticker);
  const now = exchange.clock.now();
  switch (subscription.channel) {
    case 'orderbook_delta':
      if (signal.kind !== 'book' || !concerns(signal.market.ticker)) return undefined;
      return { type: 'orderbook_delta', msg: deltaMessage(signal, subscription, accountId, now) };
    case 'ticker':
      if (signal.kind !== 'ticker' || !concerns(signal.market.ticker)) return undefined;
      return { type: 'ticker', msg: tickerMessage(signal.market, now) };
    case 'trade':
      if (signal.kind !== 'trade' || !concerns(signal.market.ticker)) return undefined;
      return {
        type: 'trade',
        msg: tradeMessage(signal.trade),
      };
    case 'fill':
      if (signal.kind !== 'fill' || signal.fill.accountId !== accountId) return undefined;
      return concerns(signal.fill.ticker)
        ? { type: 'fill', msg: fillMessage(signal.fill) }
        : undefined;
    case 'user_orders':
      if (signal.kind !== 'order' || signal.order.accountId !== accountId) return undefined;
      return concerns(signal.order.ticker)
        ? { type: 'user_order', msg: orderMessage(signal) }
        : undefined;
    case 'market_positions':
      if (signal.kind !== 'fill' || signal.fill.accountId !== accountId) return undefined;
      return { type: 'market_position', msg: positionMessage(exchange, signal.fill) };
    case 'order_group_updates':
      if (signal.kind !== 'order_group' || signal.group.accountId !== accountId) return undefined;
      return {
        type: 'order_group_updates',
        msg: {
          event_type: signal.eventType,
          order_group_id: signal.group.id,
          contracts_limit_fp: count(signal.group.limitMicros),
          ts_ms: now,
        },
      };
    case 'market_lifecycle_v2':
      if (signal.kind === 'event_fee') return { type: 'event_fee_update', msg: signal.change };
      if (signal.kind === 'event') {
        const { event } = signal;
        return {
          type: 'event_lifecycle',
          msg: {
            event_ticker: event.ticker,
            series_ticker: event.template.ticker,
            title: event.spec.title,
            subtitle: event.spec.subTitle,
            collateral_return_type: event.spec.mutuallyExclusive ? 'MECNET' : '',
          },
        };
      }
      if (signal.kind !== 'lifecycle') return undefined;
      return {
        type: 'market_lifecycle_v2',
        msg: lifecycleMessage(signal.market, signal.eventType, now),
      };
  }
}

function deltaMessage(
  signal: Extract<Signal, { kind: 'book' }>,
  subscription: Subscription,
  accountId: string,
  now: number,
) {
  const isNo = signal.side === 'ask';
  const price =
    isNo && !subscription.yesPrices ? complement(signal.priceMicros) : signal.priceMicros;
  const own = signal.order?.accountId === accountId ? signal.order : undefined;
  return {
    market_ticker: signal.market.ticker,
    market_id: signal.market.ticker,
    price_dollars: dollars(price),
    delta_fp: count(signal.deltaMicros),
    side: isNo ? 'no' : 'yes',
    ts_ms: now,
    ...(own ? { client_order_id: own.clientOrderId } : {}),
  };
}

function tradeMessage(trade: Trade) {
  const { ticker, ...rest } = tradeWire(trade);
  return {
    ...rest,
    market_ticker: ticker,
    ts: Math.floor(trade.at / 1000),
    ts_ms: trade.at,
  };
}

function tickerMessage(market: ExchangeMarket, now: number) {
  const { bid, ask } = topOf(market, now);
  const { state } = market;
  return {
    market_ticker: market.ticker,
    market_id: market.ticker,
    price_dollars: dollars(state.lastPriceMicros ?? 0n),
    yes_bid_dollars: dollars(bid?.priceMicros ?? 0n),
    yes_ask_dollars: dollars(ask?.priceMicros ?? MICROS),
    yes_bid_size_fp: count(bid?.sizeMicros ?? 0n),
    yes_ask_size_fp: count(ask?.sizeMicros ?? 0n),
    volume_fp: count(state.liveVolumeMicros),
    open_interest_fp: count(state.openInterestMicros),
    dollar_volume: Number(state.liveDollarMicros / MICROS),
    dollar_open_interest: Number(state.openInterestMicros / MICROS),
    ts_ms: now,
  };
}

function fillMessage(fill: Fill) {
  return {
    trade_id: fill.fillId,
    order_id: fill.orderId,
    client_order_id: fill.clientOrderId,
    market_ticker: fill.ticker,
    exchange_index: fill.shard,
    is_taker: fill.isTaker,
    side: fill.side === 'bid' ? 'yes' : 'no',
    outcome_side: fill.side === 'bid' ? 'yes' : 'no',
    book_side: fill.side,
    yes_price_dollars: dollars(fill.priceMicros),
    count_fp: count(fill.contractMicros),
    fee_cost: dollars(fill.feeMicros),
    post_position_fp: count(fill.netAfterMicros),
    ts_ms: fill.at,
  };
}

function orderMessage({ order, reason }: Extract<Signal, { kind: 'order' }>) {
  const { created_time, last_update_time, ...rest } = orderWire(order);
  return {
    ...rest,
    ...(order.expiresAt === undefined ? {} : { expiration_ts_ms: order.expiresAt }),
    ...(reason ? { last_update_reason: reason } : {}),
    created_ts_ms: order.createdAt,
    last_updated_ts_ms: order.updatedAt,
    created_time,
    last_update_time,
  };
}

function positionMessage(exchange: Exchange, fill: Fill) {
  const position = exchange.accounts.get(fill.accountId)?.positions.get(fill.ticker);
  return {
    market_ticker: fill.ticker,
    position_fp: count(fill.netAfterMicros),
    position_cost_dollars: dollars(position?.exposureMicros ?? 0n),
    realized_pnl_dollars: dollars(position?.realizedMicros ?? 0n),
    fees_paid_dollars: dollars(position?.feesMicros ?? 0n),
    volume_fp: count(fill.contractMicros),
  };
}

function lifecycleMessage(market: ExchangeMarket, eventType: string, now: number) {
  const { schedule } = market.state;
  const seconds = (at: number) => Math.floor(at / 1000);
  const isOver = eventType === 'determined' || eventType === 'settled';
  return {
    event_type: eventType,
    market_ticker: market.ticker,
    open_ts: seconds(schedule.openAt),
    close_ts: seconds(publishedCloseOf(market, now)),
    ...(eventType === 'deactivated' ? { is_deactivated: true } : {}),
    ...(isOver
      ? {
          result: resultOf(market),
          settlement_value: dollars(payoutMicrosOf(market)),
          determination_ts: seconds(schedule.determinedAt),
        }
      : {}),
    ...(eventType === 'settled' ? { settled_ts: seconds(schedule.finalAt) } : {}),
    ...(eventType === 'price_level_structure_updated'
      ? {
          price_level_structure: market.state.structure,
          price_ranges: rangesWire(market.state.structure),
        }
      : {}),
    ...(eventType === 'created'
      ? {
          additional_metadata: {
            title: market.spec.title,
            event_ticker: market.event.ticker,
            yes_sub_title: market.spec.yesSubTitle,
          },
        }
      : {}),
  };
}
