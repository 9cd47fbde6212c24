import { releaseCollateral, reserveCollateral } from './collateral.ts';
import { publishBook } from './executeMatches.ts';
import type { Account } from './ledger.ts';
import { bookOf, type ExchangeMarket, statusOf } from './market.ts';
import { type Order, Refusal, type UpdateReason } from './order.ts';
import { saveOrder } from './persistence.ts';
import { stateOfShard } from './shards.ts';
import type { Exchange } from './state.ts';

/** Cancels a resting order at its owner's request. @throws {Refusal} */
export function cancelOrder(exchange: Exchange, account: Account, orderId: string): bigint {
  const order = exchange.resting.get(orderId);
  if (!order || order.accountId !== account.id) {
    throw new Refusal(404, 'not_found', 'No resting order with this id');
  }
  mustBeChangeable(exchange, order);
  return removeOrder(exchange, order);
}

/** Reduces a resting order, which keeps its place in the queue. @throws {Refusal} */
export function decreaseOrder(
  exchange: Exchange,
  order: Order,
  byMicros: bigint,
  reason: UpdateReason = 'Decrease',
): void {
  const market = mustBeChangeable(exchange, order);
  const account = exchange.accounts.get(order.accountId);
  if (!account || byMicros <= 0n || byMicros >= order.remainingMicros) {
    throw new Refusal(400, 'invalid_parameters', 'The order must become smaller and stay above 0');
  }
  bookOf(market).shrink(order.orderId, byMicros);
  order.remainingMicros -= byMicros;
  order.updatedAt = exchange.clock.now();
  reserveCollateral(exchange, account, market);
  saveOrder(exchange, order);
  publishBook(exchange, market, order.side, order.priceMicros, -byMicros, order);
  exchange.signals.emit({ kind: 'order', order, reason });
}

/** A trading pause leaves orders to be cancelled; while the exchange is paused, nothing works. */
function mustBeChangeable(exchange: Exchange, order: Order): ExchangeMarket {
  if (!stateOfShard(exchange, order.shard).exchangeActive) {
    throw new Refusal(409, 'exchange_is_paused', 'The exchange is paused');
  }
  const market = exchange.world.markets.get(order.ticker);
  if (!market || statusOf(market, exchange.clock.now()) === 'closed') {
    throw new Refusal(400, 'MARKET_NOT_ACTIVE', 'The market is closed');
  }
  return market;
}

/** Takes a resting order off its book; returns what had not been filled. */
export function removeOrder(exchange: Exchange, order: Order, reason?: UpdateReason): bigint {
  const { remainingMicros, side, priceMicros } = order;
  const market = exchange.world.markets.get(order.ticker);
  if (market && bookOf(market).remove(order.orderId)) {
    publishBook(exchange, market, side, priceMicros, -remainingMicros, order);
  }
  endOrder(exchange, order, reason);
  return remainingMicros;
}

/** Ends a resting order that has left the book, or leaves it with all others. */
export function endOrder(exchange: Exchange, order: Order, reason?: UpdateReason): void {
  const account = exchange.accounts.get(order.accountId);
  const market = exchange.world.markets.get(order.ticker);
  exchange.resting.delete(order.orderId);
  if (account && market) {
    releaseCollateral(account, market, order);
    // Another order may close what this one would have closed.
    reserveCollateral(exchange, account, market);
  }
  order.status = 'canceled';
  order.remainingMicros = 0n;
  order.updatedAt = exchange.clock.now();
  saveOrder(exchange, order);
  exchange.signals.emit({ kind: 'order', order, ...(reason ? { reason } : {}) });
}

/** Ends resting orders whose time is over. */
export function expireOrders(exchange: Exchange): void {
  const now = exchange.clock.now();
  for (const order of exchange.resting.values()) {
    if (order.expiresAt !== undefined && order.expiresAt <= now) {
      removeOrder(exchange, order, 'ExpiryCancel');
    }
  }
}

/** Ends those resting orders that asked for it, where trading is paused. */
export function cancelPausedOrders(exchange: Exchange): void {
  for (const order of exchange.resting.values()) {
    if (order.cancelOnPause && !stateOfShard(exchange, order.shard).tradingActive) {
      removeOrder(exchange, order, 'HaltCancel');
    }
  }
}

/** Ends all resting orders of a shard, or of all, as after an exchange's outage. */
export function cancelAllOrders(exchange: Exchange, shard: number | undefined): void {
  for (const order of exchange.resting.values()) {
    if (shard === undefined || order.shard === shard) removeOrder(exchange, order, 'HaltCancel');
  }
}
