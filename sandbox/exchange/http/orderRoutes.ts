import { divide, MICROS } from '#lib/money.ts';
import { amendOrder } from '../amend.ts';
import { sweepGroups } from '../groupSweep.ts';
import type { Account } from '../ledger.ts';
import { type Order, Refusal } from '../order.ts';
import { cancelOrder, decreaseOrder } from '../orderEnds.ts';
import { shardOfTicker } from '../shards.ts';
import { family } from '../subaccounts.ts';
import { placeOrder } from '../trading.ts';
import { decimal, expiry, orderRequest, shardNamed } from './orderRequest.ts';
import { spendTokens } from './rateLimit.ts';
import {
  badParameter,
  type Call,
  fieldsOf,
  namedAccount,
  notFound,
  ok,
  type Route,
  textOf,
} from './route.ts';
import { count, dollars } from './wire.ts';

const CANCEL_COST = 2;

async function createOrder(call: Call) {
  let body: object;
  try {
    body = created(call, call.body);
    sweepGroups(call.exchange);
  } finally {
    // A killed order uses up its id too, durably.
    await call.exchange.store.durable();
  }
  return { status: 201, body };
}

/** Places an order and returns its response. @throws {Refusal} */
function created(call: Call, body: unknown): object {
  if (call.happens('insufficient_balance')) {
    throw new Refusal(400, 'insufficient_balance', 'The balance does not cover this order');
  }
  const account = namedAccount(call, fieldsOf(body).subaccount);
  const order = placeOrder(call.exchange, account, orderRequest(body, call.now));
  const isEmpty = order.filledMicros === 0n && order.timeInForce === 'immediate_or_cancel';
  if (isEmpty && call.happens('ioc_as_409')) {
    throw new Refusal(
      409,
      'immediate_or_cancel_insufficient_resting_volume',
      'Nothing rests at this price',
    );
  }
  const hasCrossed = order.postOnly && order.status === 'canceled';
  if (hasCrossed && call.happens('post_only_refused')) {
    throw new Refusal(400, 'post_only_cross', 'The post-only order would trade');
  }
  return createdWire(order);
}

function createdWire(order: Order) {
  const base = {
    order_id: order.orderId,
    client_order_id: order.clientOrderId,
    fill_count: count(order.filledMicros),
    remaining_count: count(order.remainingMicros),
    ts_ms: order.updatedAt,
  };
  if (order.filledMicros === 0n) return base;
  const own = divide(order.takerCostMicros * MICROS, order.filledMicros, 'nearest');
  const fee = divide(order.takerFeesMicros * MICROS, order.filledMicros, 'nearest');
  return {
    ...base,
    average_fill_price: dollars(order.side === 'bid' ? own : MICROS - own),
    average_fee_paid: dollars(fee),
  };
}

/** How a request about an order names its shard. */
type Routing = { shard: number | undefined; ticker: string };

/** A resting order, as its shard knows it: without a route, the default shard is asked. */
function restingOf(call: Call, orderId: string, { shard, ticker }: Routing): Order {
  const order = call.exchange.resting.get(orderId);
  const asked = shard ?? (ticker === '' ? 0 : shardOfTicker(call.exchange, ticker));
  if (!order || order.shard !== asked || !ownerOf(call, order)) throw notFound('order');
  return order;
}

function routingIn(query: URLSearchParams): Routing {
  const shard = query.get('exchange_index');
  return {
    shard: shardNamed(shard === null ? undefined : Number(shard)),
    ticker: query.get('market_ticker') ?? '',
  };
}

function routingOf(fields: Record<string, unknown>, ticker: unknown): Routing {
  return { shard: shardNamed(fields.exchange_index), ticker: textOf(ticker) };
}

/** The caller's account that owns an order; undefined for the orders of others. */
function ownerOf({ exchange, account }: Call, order: Order): Account | undefined {
  return family(exchange, account).find((one) => one.id === order.accountId);
}

/** Cancels an order; the response has the exchange's format. */
function cancelled(call: Call, orderId: string, routing: Routing) {
  const order = restingOf(call, orderId, routing);
  if (call.happens('cancel_not_found')) throw notFound('order');
  const reduced = cancelOrder(call.exchange, ownerOf(call, order) ?? call.account, orderId);
  return {
    order_id: orderId,
    client_order_id: order.clientOrderId,
    reduced_by: count(reduced),
    ts_ms: call.now,
  };
}

async function cancel(call: Call) {
  const body = cancelled(call, call.params[0] ?? '', routingIn(call.query));
  await call.exchange.store.durable();
  return ok(body);
}

async function cancelAll(call: Call) {
  const { exchange } = call;
  for (const order of exchange.resting.values()) {
    const owner = ownerOf(call, order);
    if (owner) cancelOrder(exchange, owner, order.orderId);
  }
  await exchange.store.durable();
  return { status: 204 };
}

async function decrease(call: Call) {
  const fields = fieldsOf(call.body);
  const order = restingOf(call, call.params[0] ?? '', routingOf(fields, fields.market_ticker));
  const { reduce_by: by, reduce_to: to } = fields;
  if ((by === undefined) === (to === undefined)) {
    throw badParameter('exactly one of reduce_by and reduce_to is required');
  }
  const amount = decimal(String(by ?? to), 2, by === undefined ? 'reduce_to' : 'reduce_by');
  const reduced = by === undefined ? order.remainingMicros - amount : amount;
  decreaseOrder(call.exchange, order, reduced);
  await call.exchange.store.durable();
  return ok({
    order_id: order.orderId,
    client_order_id: order.clientOrderId,
    remaining_count: count(order.remainingMicros),
    ts_ms: call.now,
  });
}

async function amend(call: Call) {
  const fields = fieldsOf(call.body);
  const order = restingOf(call, call.params[0] ?? '', routingOf(fields, fields.ticker));
  const { client_order_id: known, updated_client_order_id: renamed, expiration_time: at } = fields;
  if (fields.ticker !== order.ticker || fields.side !== order.side) {
    throw badParameter('ticker and side must be those of the order');
  }
  if (known !== undefined && known !== order.clientOrderId) throw notFound('order');
  amendOrder(call.exchange, ownerOf(call, order) ?? call.account, order, {
    priceMicros: decimal(textOf(fields.price), 4, 'price'),
    totalMicros: decimal(textOf(fields.count), 2, 'count'),
    newClientOrderId: typeof renamed === 'string' && renamed !== '' ? renamed : undefined,
    expiresAt:
      at === undefined || at === null
        ? undefined
        : Number(at) === 0
          ? null
          : expiry(at, 'good_till_canceled', call.now),
  });
  sweepGroups(call.exchange);
  await call.exchange.store.durable();
  return ok(createdWire(order));
}

/** Each order of a batch succeeds or fails on its own. */
async function eachOf<T>(call: Call, run: (item: unknown) => T) {
  const { orders } = fieldsOf(call.body);
  if (!Array.isArray(orders) || orders.length === 0) throw badParameter('orders are required');
  const results = orders.map((item: unknown) => {
    try {
      return run(item);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { order_id, client_order_id } = fieldsOf(item);
      return { order_id, client_order_id, error: { code: error.code, message: error.message } };
    }
  });
  sweepGroups(call.exchange);
  await call.exchange.store.durable();
  return results;
}

async function createBatch(call: Call) {
  const { orders: asked } = fieldsOf(call.body);
  chargeBatch(call, asked, call.exchange.limits.usualCost);
  const orders = await eachOf(call, (item) => created(call, item));
  return { status: 201, body: { orders } };
}

/** Each item of a batch costs what it would alone; the first one is paid. @throws {Refusal} */
function chargeBatch({ exchange, account }: Call, items: unknown, cost: number): void {
  if (!Array.isArray(items) || items.length === 0) return;
  spendTokens(exchange.limits, account, 'write', cost * (items.length - 1));
}

async function cancelBatch(call: Call) {
  chargeBatch(call, fieldsOf(call.body).orders, CANCEL_COST);
  return ok({
    orders: await eachOf(call, (item) => {
      const fields = fieldsOf(item);
      const routing = routingOf(fields, fields.market_ticker);
      return cancelled(call, String(fields.order_id), routing);
    }),
  });
}

const PATH = '/portfolio/events/orders';
const written = { keyed: true, write: true };

export const orderRoutes: Route[] = [
  { ...written, method: 'POST', path: PATH, handle: createOrder },
  { ...written, method: 'DELETE', path: PATH, handle: cancelAll },
  { ...written, method: 'POST', path: `${PATH}/batched`, handle: createBatch },
  {
    ...written,
    method: 'DELETE',
    path: `${PATH}/batched`,
    tokens: CANCEL_COST,
    handle: cancelBatch,
  },
  { ...written, method: 'DELETE', path: `${PATH}/*`, tokens: CANCEL_COST, handle: cancel },
  { ...written, method: 'POST', path: `${PATH}/*/decrease`, handle: decrease },
  { ...written, method: 'POST', path: `${PATH}/*/amend`, handle: amend },
  {
    ...written,
    method: 'POST',
    path: '/portfolio/orders',
    handle() {
      throw new Refusal(410, 'deprecated_v1_order_endpoint', 'Use POST /portfolio/events/orders');
    },
  },
];
