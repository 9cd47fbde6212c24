import { randomUUID } from 'node:crypto';
import { CONTRACT_STEP_MICROS, costMicros, MICROS, maxMicros } from '#lib/money.ts';
import type { RestingOrder } from './book.ts';
import { ensureBook } from './bots.ts';
import { executeMatches, publishBook } from './executeMatches.ts';
import { tradeFeeMicros } from './fees.ts';
import { type Account, type Purse, positionOf, splitTrade, tradeCash } from './ledger.ts';
import { adoptMarket } from './listing.ts';
import { bookOf, type ExchangeMarket, statusOf } from './market.ts';
import { type Order, type OrderRequest, Refusal } from './order.ts';
import { admitToGroup } from './orderGroups.ts';
import { burnClientOrderId, saveAccount, saveOrder } from './persistence.ts';
import { freeCash, purseFor, purseOf, shardOfMarket, stateOfShard } from './shards.ts';
import { type Exchange, feesOf } from './state.ts';
import { isOnGrid } from './ticks.ts';

/** Traded only by accounts whose location is attested. */
const ATTESTED_CATEGORIES = new Set(['Sports', 'Elections', 'Entertainment']);

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
    const available = book.availableMicros(order.side, order.priceMicros, account.id);
    if (available < order.initialMicros) {
      throw new Refusal(
        409,
        'fill_or_kill_insufficient_resting_volume',
        'The order could not be filled completely and was killed',
      );
    }
  }
  trade(exchange, account, market, order, order.initialMicros);
  return order;
}

/** Matches an order and handles its remainder by its time in force. */
export function trade(
  exchange: Exchange,
  account: Account,
  market: ExchangeMarket,
  order: Order,
  contractMicros: bigint,
): void {
  const result = bookOf(market).match({
    accountId: account.id,
    side: order.side,
    limitMicros: order.priceMicros,
    contractMicros,
    selfTrade: order.selfTrade,
  });
  for (const own of result.cancelled) endResting(exchange, own);
  executeMatches(exchange, market, { account, order }, order.side, result.matches);
  order.remainingMicros = result.remainingMicros;
  restOrEnd(exchange, account, market, order, result.stoppedBySelf);
  saveOrder(exchange, order);
  saveAccount(exchange, account);
  exchange.signals.emit({ kind: 'order', order });
}

/** Releases the cash reserved by a resting order. */
export function unlock(purse: Purse, order: Order): void {
  purse.lockedMicros -= order.lockedMicros;
  order.lockedMicros = 0n;
}

/** Cancels a resting order. @throws {Refusal} */
export function cancelOrder(exchange: Exchange, account: Account, orderId: string): bigint {
  const order = exchange.resting.get(orderId);
  if (!order || order.accountId !== account.id) {
    throw new Refusal(404, 'not_found', 'No resting order with this id');
  }
  const market = exchange.world.markets.get(order.ticker);
  if (!market || statusOf(market, exchange.clock.now()) === 'closed') {
    throw new Refusal(400, 'MARKET_NOT_ACTIVE', 'The market is closed');
  }
  const reduced = order.remainingMicros;
  const resting = bookOf(market).remove(orderId);
  if (resting) publishBook(exchange, market, resting.side, resting.priceMicros, -reduced, order);
  endOrder(exchange, order);
  return reduced;
}

/** Reduces a resting order, which keeps its place in the queue. @throws {Refusal} */
export function decreaseOrder(exchange: Exchange, order: Order, byMicros: bigint): void {
  const market = exchange.world.markets.get(order.ticker);
  const account = exchange.accounts.get(order.accountId);
  if (!market || !account || byMicros <= 0n || byMicros >= order.remainingMicros) {
    throw new Refusal(400, 'invalid_parameters', 'The order must become smaller and stay above 0');
  }
  bookOf(market).shrink(order.orderId, byMicros);
  const released = (order.lockedMicros * byMicros) / order.remainingMicros;
  order.remainingMicros -= byMicros;
  order.lockedMicros -= released;
  purseFor(account, market).lockedMicros -= released;
  order.updatedAt = exchange.clock.now();
  saveOrder(exchange, order);
  publishBook(exchange, market, order.side, order.priceMicros, -byMicros, order);
  exchange.signals.emit({ kind: 'order', order });
}

/** Ends a resting order that has already left the book. */
export function endOrder(exchange: Exchange, order: Order): void {
  const account = exchange.accounts.get(order.accountId);
  if (account) purseOf(account, order.shard).lockedMicros -= order.lockedMicros;
  order.lockedMicros = 0n;
  order.status = 'canceled';
  order.remainingMicros = 0n;
  order.updatedAt = exchange.clock.now();
  exchange.resting.delete(order.orderId);
  saveOrder(exchange, order);
  exchange.signals.emit({ kind: 'order', order });
}

function endResting(exchange: Exchange, resting: RestingOrder): void {
  const order = exchange.resting.get(resting.orderId);
  if (!order) return;
  const market = exchange.world.markets.get(order.ticker);
  if (market) {
    publishBook(exchange, market, order.side, order.priceMicros, -resting.remainingMicros, order);
  }
  endOrder(exchange, order);
}

function admit(exchange: Exchange, account: Account, request: OrderRequest): ExchangeMarket {
  const market = adoptMarket(exchange, request.ticker);
  const shard = request.shard ?? (market && shardOfMarket(market)) ?? 0;
  const { exchangeActive, tradingActive } = stateOfShard(exchange, shard);
  if (!exchangeActive) throw new Refusal(409, 'exchange_is_paused', 'The exchange is paused');
  if (!tradingActive) throw new Refusal(409, 'trading_is_paused', 'Trading is paused');
  if (!market) throw new Refusal(404, 'market_not_found', `No market ${request.ticker}`);
  if (shard !== shardOfMarket(market)) {
    throw new Refusal(404, 'market_not_found', `No market ${request.ticker} on shard ${shard}`);
  }
  const status = statusOf(market, exchange.clock.now());
  if (status === 'inactive') throw new Refusal(409, 'trading_is_paused', 'The market is paused');
  if (status !== 'active') throw new Refusal(400, 'MARKET_NOT_ACTIVE', `The market is ${status}`);
  const attestedUntil = exchange.regionExpiresAt ?? Number.POSITIVE_INFINITY;
  if (
    attestedUntil <= exchange.clock.now() &&
    ATTESTED_CATEGORIES.has(market.event.template.category)
  ) {
    throw new Refusal(403, 'forbidden', 'The location attestation of this account has expired');
  }
  if (!isOnGrid(market.state.structure, request.priceMicros)) {
    throw new Refusal(400, 'invalid_price', 'The price is not on the grid of this market');
  }
  if (
    request.contractMicros < CONTRACT_STEP_MICROS ||
    request.contractMicros % CONTRACT_STEP_MICROS !== 0n
  ) {
    throw new Refusal(400, 'invalid_parameters', 'The count must be a multiple of 0.01');
  }
  admitToGroup(exchange, account, request.orderGroupId);
  ensureBook(exchange, market);
  if (request.postOnly && crossesNow(market, request)) {
    throw new Refusal(400, 'invalid_order', 'The post-only order would trade');
  }
  if (!burnClientOrderId(exchange, account.id, request.clientOrderId)) {
    throw new Refusal(409, 'order_already_exists', 'This client order id was used before');
  }
  return market;
}

function crossesNow(market: ExchangeMarket, request: OrderRequest): boolean {
  return bookOf(market).availableMicros(request.side, request.priceMicros) > 0n;
}

function newOrder(
  exchange: Exchange,
  account: Account,
  market: ExchangeMarket,
  request: OrderRequest,
  now: number,
): Order {
  const held = positionOf(account, market.ticker).netMicros;
  const { closingMicros } = splitTrade(held, request.side, request.contractMicros);
  const initialMicros = request.reduceOnly ? closingMicros : request.contractMicros;
  if (initialMicros === 0n) throw new Refusal(400, 'invalid_order', 'Nothing to reduce');
  const needed = cashNeeded(exchange, market, held, request, initialMicros, now);
  if (needed > freeCash(purseFor(account, market))) {
    throw new Refusal(400, 'insufficient_balance', 'The balance does not cover this order');
  }
  return {
    orderId: randomUUID(),
    accountId: account.id,
    clientOrderId: request.clientOrderId,
    ticker: market.ticker,
    shard: shardOfMarket(market),
    side: request.side,
    priceMicros: request.priceMicros,
    initialMicros,
    filledMicros: 0n,
    remainingMicros: initialMicros,
    status: 'resting',
    timeInForce: request.timeInForce,
    selfTrade: request.selfTrade,
    takerCostMicros: 0n,
    makerCostMicros: 0n,
    takerFeesMicros: 0n,
    makerFeesMicros: 0n,
    accumulatorMicros: 0n,
    lockedMicros: 0n,
    expiresAt: request.expiresAt,
    cancelOnPause: request.cancelOnPause,
    orderGroupId: request.orderGroupId,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * The most an order can take from the balance: the whole quantity at its limit price, with the
 * highest fee.
 */
export function cashNeeded(
  exchange: Exchange,
  market: ExchangeMarket,
  heldMicros: bigint,
  request: Pick<OrderRequest, 'side' | 'priceMicros'>,
  contractMicros: bigint,
  now: number,
): bigint {
  const cash = tradeCash(heldMicros, request.side, contractMicros, request.priceMicros);
  const fee = tradeFeeMicros(
    feesOf(exchange, market, now),
    true,
    contractMicros,
    request.priceMicros,
  );
  return maxMicros(fee + CONTRACT_STEP_MICROS - cash, 0n);
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
  lockCash(account, market, order);
  exchange.resting.set(order.orderId, order);
  bookOf(market).add({
    orderId: order.orderId,
    accountId: account.id,
    side: order.side,
    priceMicros: order.priceMicros,
    remainingMicros: order.remainingMicros,
  });
  publishBook(exchange, market, order.side, order.priceMicros, order.remainingMicros, order);
}

function lockCash(account: Account, market: ExchangeMarket, order: Order): void {
  const held = positionOf(account, market.ticker).netMicros;
  const { openingMicros } = splitTrade(held, order.side, order.remainingMicros);
  const own = order.side === 'bid' ? order.priceMicros : MICROS - order.priceMicros;
  order.lockedMicros = costMicros(openingMicros, own, 'up');
  purseFor(account, market).lockedMicros += order.lockedMicros;
}

/** Puts a stored order back on its book, at the end of its price's queue. */
export function restAgain(exchange: Exchange, order: Order): void {
  const account = exchange.accounts.get(order.accountId);
  const market = exchange.world.markets.get(order.ticker);
  if (!account || !market || statusOf(market, exchange.clock.now()) !== 'active') {
    order.lockedMicros = 0n;
    endOrder(exchange, order);
    return;
  }
  order.shard = shardOfMarket(market);
  purseOf(account, order.shard).lockedMicros += order.lockedMicros;
  exchange.resting.set(order.orderId, order);
  bookOf(market).add({ ...order });
}
