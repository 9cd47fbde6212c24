import { randomUUID } from 'node:crypto';
import { CONTRACT_STEP_MICROS, maxMicros } from '#lib/money.ts';
import { ensureBook } from './bots.ts';
import { netBesidesResting } from './collateral.ts';
import { tradeFeeMicros } from './fees.ts';
import { type Account, positionOf, splitTrade, tradeCash } from './ledger.ts';
import { adoptMarket } from './listing.ts';
import { bookOf, type ExchangeMarket, statusOf } from './market.ts';
import { type Order, type OrderRequest, Refusal } from './order.ts';
import { admitToGroup } from './orderGroups.ts';
import { burnClientOrderId } from './persistence.ts';
import { freeCash, purseFor, shardOfMarket, stateOfShard } from './shards.ts';
import { type Exchange, feesOf } from './state.ts';
import { isOnGrid } from './ticks.ts';

/** Traded only by accounts whose location is attested. */
const ATTESTED_CATEGORIES = new Set(['Sports', 'Elections', 'Entertainment']);

/** Checks whether an order is accepted, and uses up its id. @throws {Refusal} when nothing happened */
export function admit(exchange: Exchange, account: Account, request: OrderRequest): ExchangeMarket {
  const market = adoptMarket(exchange, request.ticker);
  const shard = request.shard ?? (market && shardOfMarket(market)) ?? 0;
  mustBeActive(exchange, shard);
  if (!market) throw new Refusal(404, 'market_not_found', `No market ${request.ticker}`);
  if (shard !== shardOfMarket(market)) {
    throw new Refusal(404, 'market_not_found', `No market ${request.ticker} on shard ${shard}`);
  }
  mustTrade(exchange, shard, market);
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
  if (!burnClientOrderId(exchange, account.id, request.clientOrderId)) {
    throw new Refusal(409, 'order_already_exists', 'This client order id was used before');
  }
  return market;
}

function mustBeActive(exchange: Exchange, shard: number): void {
  const { exchangeActive, tradingActive } = stateOfShard(exchange, shard);
  if (!exchangeActive) throw new Refusal(409, 'exchange_is_paused', 'The exchange is paused');
  if (!tradingActive) throw new Refusal(409, 'trading_is_paused', 'Trading is paused');
}

/** Whether orders are placed and amended in a market now. @throws {Refusal} */
export function mustTrade(
  exchange: Exchange,
  shard: number,
  market: ExchangeMarket | undefined,
): asserts market {
  mustBeActive(exchange, shard);
  const status = market && statusOf(market, exchange.clock.now());
  if (status === 'inactive') throw new Refusal(409, 'trading_is_paused', 'The market is paused');
  if (status !== 'active') throw new Refusal(400, 'MARKET_NOT_ACTIVE', `The market is ${status}`);
}

/** Whether an order would trade on arrival, with orders of its own account included. */
export function crossesNow(
  market: ExchangeMarket,
  { side, priceMicros }: Pick<Order, 'side' | 'priceMicros'>,
): boolean {
  return bookOf(market).availableMicros(side, priceMicros) > 0n;
}

/** The order of an accepted request, before it trades. @throws {Refusal} */
export function newOrder(
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
  const { side } = request;
  const rests = request.timeInForce === 'good_till_canceled';
  const closable = rests ? netBesidesResting(exchange, account, market, { side }) : held;
  const needed = cashNeeded(exchange, market, closable, request, initialMicros, now);
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
    postOnly: request.postOnly,
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
