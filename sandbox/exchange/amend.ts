import { cashNeeded, mustTrade } from './admission.ts';
import { ensureBook } from './bots.ts';
import { netBesidesResting, releaseCollateral } from './collateral.ts';
import { publishBook } from './executeMatches.ts';
import type { Account } from './ledger.ts';
import { adoptMarket } from './listing.ts';
import { bookOf } from './market.ts';
import { type Order, Refusal } from './order.ts';
import { decreaseOrder } from './orderEnds.ts';
import { burnClientOrderId } from './persistence.ts';
import { freeCash, purseFor } from './shards.ts';
import type { Exchange } from './state.ts';
import { isOnGrid } from './ticks.ts';
import { trade } from './trading.ts';

export type Amendment = {
  priceMicros: bigint;
  /** Total, including what is already filled. */
  totalMicros: bigint;
  newClientOrderId: string | undefined;
  /** Undefined keeps it, null takes it away. */
  expiresAt: number | null | undefined;
};

/**
 * Changes a resting order. A pure reduction keeps its queue position; any other change is a new
 * arrival at its price, and may trade at once. @throws {Refusal} when nothing happened
 */
export function amendOrder(
  exchange: Exchange,
  account: Account,
  order: Order,
  change: Amendment,
): void {
  const market = adoptMarket(exchange, order.ticker);
  mustTrade(exchange, order.shard, market);
  if (!isOnGrid(market.state.structure, change.priceMicros)) {
    throw new Refusal(400, 'invalid_price', 'The price is not on the grid of this market');
  }
  const remaining = change.totalMicros - order.filledMicros;
  if (remaining <= 0n) {
    throw new Refusal(400, 'invalid_order', 'The count must be more than what was filled');
  }
  const { side } = order;
  const held = netBesidesResting(exchange, account, market, { side, except: order });
  const terms = { side, priceMicros: change.priceMicros };
  const needed = cashNeeded(exchange, market, held, terms, remaining, exchange.clock.now());
  const purse = purseFor(account, market);
  if (needed > freeCash(purse) + order.lockedMicros) {
    throw new Refusal(400, 'insufficient_balance', 'The balance does not cover this order');
  }
  if (change.newClientOrderId !== undefined) {
    if (!burnClientOrderId(exchange, account.id, change.newClientOrderId)) {
      throw new Refusal(409, 'order_already_exists', 'This client order id was used before');
    }
    order.clientOrderId = change.newClientOrderId;
  }
  if (change.expiresAt !== undefined) order.expiresAt = change.expiresAt ?? undefined;
  const isSmaller = remaining < order.remainingMicros;
  if (change.priceMicros === order.priceMicros && isSmaller) {
    order.initialMicros = change.totalMicros;
    decreaseOrder(exchange, order, order.remainingMicros - remaining, 'Amend');
    return;
  }
  ensureBook(exchange, market);
  bookOf(market).remove(order.orderId);
  publishBook(exchange, market, order.side, order.priceMicros, -order.remainingMicros, order);
  exchange.resting.delete(order.orderId);
  releaseCollateral(account, market, order);
  order.queuedAt = exchange.clock.now();
  order.priceMicros = change.priceMicros;
  order.initialMicros = change.totalMicros;
  order.remainingMicros = remaining;
  order.updatedAt = exchange.clock.now();
  trade(exchange, account, market, order, 'Amend');
}
