import type { ExchangeFill, ExchangeSettlement, FindOrderOutcome, OutcomeSide } from '../port.ts';
import type { EndReason, RestingOrder } from '../restingOrders.ts';
import { priceOfSide } from './sides.ts';
import { countMicros, decimalMicros, moment, priceMicros, text, type Wire } from './wire.ts';

/** Parses the records of our own account: orders, fills, settlements. */

const ENDED = ['canceled', 'cancelled', 'executed'];

/** What the feed names with an order that ended before it was filled. */
const END_REASONS = new Map<string, EndReason>([
  ['decrease', 'cancelled'],
  ['amend', 'cancelled'],
  ['expirycancel', 'expired'],
  ['closecancel', 'market_closed'],
  ['haltcancel', 'halted'],
  ['selftradecancel', 'self_trade'],
  ['postonlycrosscancel', 'post_only_crossed'],
]);

/** Undefined without the paid amount. Revenue and value are whole cents. */
export function readSettlement(wire: Wire): ExchangeSettlement | undefined {
  const ticker = text(wire, 'ticker', 'market_ticker');
  const revenueCents = decimalMicros(wire.revenue);
  const settledAt = moment(wire.settled_time);
  if (ticker === '' || revenueCents === undefined || !settledAt) return undefined;
  return {
    ticker,
    netContractMicros:
      (countMicros(wire, 'yes_count') ?? 0n) - (countMicros(wire, 'no_count') ?? 0n),
    revenueMicros: revenueCents / 100n,
    payoutYesMicros: priceMicros(wire, 'value'),
    settledAt,
  };
}

/** Undefined without the filled quantity. */
export function readOrder(wire: Wire): FindOrderOutcome | undefined {
  const exchangeOrderId = text(wire, 'order_id');
  const filledContractMicros = countMicros(wire, 'fill_count') ?? filledByRest(wire);
  if (exchangeOrderId === '' || filledContractMicros === undefined) return undefined;
  const ended = ENDED.includes(text(wire, 'status').toLowerCase());
  return { kind: 'found', exchangeOrderId, ended, filledContractMicros };
}

/** An executed order has filled its whole quantity. */
function filledByRest(wire: Wire): bigint | undefined {
  const isExecuted = text(wire, 'status').toLowerCase() === 'executed';
  return isExecuted ? countMicros(wire, 'initial_count') : undefined;
}

/** Undefined without quantities or price. */
export function readRestingOrder(wire: Wire): RestingOrder | undefined {
  const found = readOrder(wire);
  const yesPriceMicros = yesPriceOf(wire);
  if (found?.kind !== 'found' || yesPriceMicros === undefined) return undefined;
  const { exchangeOrderId, filledContractMicros, ended: hasEnded } = found;
  const remaining = hasEnded ? 0n : countMicros(wire, 'remaining_count');
  if (remaining === undefined) return undefined;
  const endReason = hasEnded ? endReasonOf(wire) : undefined;
  return {
    clientOrderId: text(wire, 'client_order_id'),
    exchangeOrderId,
    ticker: text(wire, 'ticker', 'market_ticker'),
    filledContractMicros,
    remainingContractMicros: remaining,
    yesPriceMicros,
    hasEnded,
    ...(endReason ? { endReason } : {}),
  };
}

function endReasonOf(wire: Wire): EndReason | undefined {
  if (text(wire, 'status').toLowerCase() === 'executed') return 'filled';
  const named = text(wire, 'last_update_reason').toLowerCase();
  if (named !== '') return END_REASONS.get(named) ?? 'other';
  const expiresAt = moment(wire.expiration_time);
  const endedAt = moment(wire.last_update_time);
  return expiresAt && endedAt && expiresAt <= endedAt ? 'expired' : undefined;
}

/** A fill in terms of the traded side; undefined when it cannot be recorded. */
export function readFill(wire: Wire, side: OutcomeSide): ExchangeFill | undefined {
  const fillId = text(wire, 'fill_id', 'trade_id');
  const contractMicros = countMicros(wire, 'count');
  const yesPrice = yesPriceOf(wire);
  const at = moment(wire.created_time) ?? moment(wire.ts_ms) ?? moment(wire.ts);
  const feeMicros = decimalMicros(wire.fee_cost) ?? decimalMicros(wire.fee_cost_dollars);
  if (fillId === '' || !contractMicros || yesPrice === undefined || !at) return undefined;
  // A missing fee is not a zero fee.
  if (feeMicros === undefined || feeMicros < 0n) return undefined;
  return {
    fillId,
    exchangeOrderId: text(wire, 'order_id'),
    contractMicros,
    priceMicros: priceOfSide(side, yesPrice),
    feeMicros,
    at,
  };
}

function yesPriceOf(wire: Wire): bigint | undefined {
  const yes = priceMicros(wire, 'yes_price');
  if (yes !== undefined) return yes;
  const no = priceMicros(wire, 'no_price');
  return no === undefined ? undefined : 1_000_000n - no;
}
