import { admit, crossesNow, newOrder } from './admission.ts';
import { wakeTakers } from './bots.ts';
import { reserveCollateral } from './collateral.ts';
import { executeMatches, publishBook } from './executeMatches.ts';
import type { Account } from './ledger.ts';
import { bookOf, type ExchangeMarket, statusOf } from './market.ts';
import { type Order, type OrderRequest, Refusal, type UpdateReason } from './order.ts';
import { endOrder, removeOrder } from './orderEnds.ts';
import { saveAccount, saveOrder } from './persistence.ts';
import { shardOfMarket } from './shards.ts';
import type { Exchange } from './state.ts';

/**
 * Accepts an order and trades it at once. The caller must wait for the store before it
 * acknowledges. @throws {Refusal} when nothing happened.
 */
export function placeOrder(exchange: Exchange, account: Account, request: OrderRequest): Order {
  const market = admit(exchange, account, request);
  const now = exchange.clock.now();
  const order = newOrder(exchange, account, market, request, now);
  const book = bookOf(market);
  if (request.timeInForce === 'fill_or_kill') {
    const taker = { accountId: account.id, selfTrade: order.selfTrade };
    const available = book.availableMicros(order.side, order.priceMicros, taker);
    if (available < order.initialMicros) {
      throw new Refusal(
        409,
        'fill_or_kill_insufficient_resting_volume',
        'The order could not be filled completely and was killed',
      );
    }
  }
  trade(exchange, account, market, order);
  return order;
}

/**
 * Matches what remains of an order that is on no book, and handles its remainder by its time in
 * force.
 */
export function trade(
  exchange: Exchange,
  account: Account,
  market: ExchangeMarket,
  order: Order,
  change?: UpdateReason,
): void {
  if (order.postOnly && crossesNow(market, order)) {
    endOrder(exchange, order, 'PostOnlyCrossCancel');
    return;
  }
  const filledBefore = order.filledMicros;
  const result = bookOf(market).match({
    accountId: account.id,
    side: order.side,
    limitMicros: order.priceMicros,
    contractMicros: order.remainingMicros,
    selfTrade: order.selfTrade,
  });
  for (const { orderId, remainingMicros } of result.cancelled) {
    const own = exchange.resting.get(orderId);
    if (!own) continue;
    publishBook(exchange, market, own.side, own.priceMicros, -remainingMicros, own);
    endOrder(exchange, own, 'SelfTradeCancel');
  }
  executeMatches(exchange, market, { account, order }, order.side, result.matches);
  order.remainingMicros = result.remainingMicros;
  restOrEnd(exchange, account, market, order, result.stoppedBySelf);
  saveOrder(exchange, order);
  saveAccount(exchange, account);
  const traded = order.filledMicros > filledBefore ? 'Trade' : change;
  const reason = result.stoppedBySelf ? 'SelfTradeCancel' : traded;
  exchange.signals.emit({ kind: 'order', order, ...(reason ? { reason } : {}) });
}

function restOrEnd(
  exchange: Exchange,
  account: Account,
  market: ExchangeMarket,
  order: Order,
  stopped: boolean,
): void {
  if (order.remainingMicros === 0n) {
    order.status = 'executed';
    return;
  }
  if (stopped || order.timeInForce !== 'good_till_canceled') {
    order.status = 'canceled';
    order.remainingMicros = 0n;
    return;
  }
  rest(exchange, market, order);
  wakeTakers(exchange, market, order);
  reserveCollateral(exchange, account, market);
  publishBook(exchange, market, order.side, order.priceMicros, order.remainingMicros, order);
}

function rest(exchange: Exchange, market: ExchangeMarket, order: Order): void {
  order.queuedAt ??= exchange.clock.now();
  exchange.resting.set(order.orderId, order);
  const { orderId, accountId, side, priceMicros, remainingMicros } = order;
  bookOf(market).add({ orderId, accountId, side, priceMicros, remainingMicros });
}

/**
 * Puts a stored order back on its book, in the order in which they came. A market that was
 * deactivated keeps its orders.
 */
export function restAgain(exchange: Exchange, order: Order): void {
  const now = exchange.clock.now();
  const market = exchange.world.markets.get(order.ticker);
  const status = market && statusOf(market, now);
  // Reserved anew once all orders rest.
  order.lockedMicros = 0n;
  if (!market || (status !== 'active' && status !== 'inactive')) {
    endOrder(exchange, order, 'CloseCancel');
    return;
  }
  order.shard = shardOfMarket(market);
  rest(exchange, market, order);
  if (order.expiresAt !== undefined && order.expiresAt <= now) {
    removeOrder(exchange, order, 'ExpiryCancel');
  }
}
