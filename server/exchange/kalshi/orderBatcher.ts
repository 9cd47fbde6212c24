import { formatMicrosFixed } from '#lib/money.ts';
import type {
  ExchangeTrading,
  PlaceOrderOutcome,
  PlaceOrderRequest,
  TimeInForce,
} from '../port.ts';
import { createBatcher } from './batcher.ts';
import type { HttpClient, HttpResponseBody, Message } from './httpClient.ts';
import { orderOutcome } from './orderOutcome.ts';
import { BATCH_PATH, MOST_TOGETHER, ORDERS_PATH } from './orderPaths.ts';
import { toBook } from './sides.ts';
import { asList, asWire, text, type Wire } from './wire.ts';

type Post = Pick<HttpClient, 'post' | 'mostTogether'>;
type Outcomes = Map<PlaceOrderRequest, PlaceOrderOutcome>;

/**
 * Places orders. Orders of the same turn of the event loop share one message, in which each
 * succeeds or fails individually; a single order is sent unbatched.
 */
export function createOrderBatcher(http: Post): ExchangeTrading['placeOrder'] {
  return createBatcher<PlaceOrderRequest, PlaceOrderOutcome>({
    most: () => Math.min(MOST_TOGETHER, http.mostTogether('POST', BATCH_PATH)),
    send: (requests) => placeAll(http, requests),
    missing: { kind: 'unknown', code: 'not_sent' },
  });
}

const UNREADABLE: PlaceOrderOutcome = { kind: 'unknown', code: 'unreadable_answer' };

async function placeAll(http: Post, requests: readonly PlaceOrderRequest[]): Promise<Outcomes> {
  const [first, ...others] = requests;
  if (first && others.length === 0) return new Map([[first, await placeAlone(http, first)]]);
  const leaving = new Set<PlaceOrderRequest>();
  const response = await http.post(
    BATCH_PATH,
    messageOf(requests, (allowed) => {
      for (const request of allowed) leaving.add(request);
      return { orders: allowed.map(orderWire) };
    }),
  );
  return await outcomesOf(http, [...leaving], response);
}

/** The outcome of each order in a message. */
async function outcomesOf(
  http: Post,
  requests: readonly PlaceOrderRequest[],
  response: HttpResponseBody,
): Promise<Outcomes> {
  const orders =
    response.kind === 'answered' && response.status < 300 ? asList(response.body.orders) : [];
  if (orders.length > 0) {
    const wires = orders.map(asWire);
    return new Map(requests.map((request, index) => [request, outcomeIn(wires, request, index)]));
  }
  const forAll = orderOutcome(response);
  // The exchange rejected the whole message: it accepted no order, and sending them individually
  // shows which one is at fault.
  const goesAlone = forAll.kind === 'no_fill' || forAll.kind === 'our_fault';
  const outcomes = requests.map(
    async (request) => [request, goesAlone ? await placeAlone(http, request) : forAll] as const,
  );
  return new Map(await Promise.all(outcomes));
}

async function placeAlone(http: Post, request: PlaceOrderRequest): Promise<PlaceOrderOutcome> {
  const message = messageOf([request], () => orderWire(request));
  return orderOutcome(await http.post(ORDERS_PATH, message), request);
}

/**
 * A message of those orders that may still be sent when it leaves. It is signed with the oldest
 * order's time, so that the exchange rejects it when any of them is too old.
 */
function messageOf(
  requests: readonly PlaceOrderRequest[],
  contentOf: (allowed: PlaceOrderRequest[]) => object,
): Message {
  return {
    signedAt: new Date(Math.min(...requests.map(({ storedAt }) => storedAt.getTime()))),
    requests: requests.length,
    async body() {
      const may = await Promise.all(requests.map((request) => request.mayBeSent()));
      const allowed = requests.filter((_, index) => may[index]);
      return allowed.length === 0 ? undefined : contentOf(allowed);
    },
  };
}

const TIME_IN_FORCE = {
  immediate: 'immediate_or_cancel',
  fill_or_kill: 'fill_or_kill',
  resting: 'good_till_canceled',
} as const satisfies Record<TimeInForce, string>;

/** A limit order on the Yes book. It never trades with an order of ours: its rest is cancelled. */
function orderWire(request: PlaceOrderRequest): object {
  const { restsUntil, isPostOnly } = request;
  const place = toBook(request.action, request.side, request.limitPriceMicros);
  return {
    ticker: request.ticker,
    exchange_index: request.shard,
    client_order_id: request.clientOrderId,
    side: place.bookSide,
    count: formatMicrosFixed(request.contractMicros, 2),
    price: formatMicrosFixed(place.yesPriceMicros, 4),
    time_in_force: TIME_IN_FORCE[request.timeInForce ?? 'immediate'],
    self_trade_prevention_type: 'taker_at_cross',
    ...(restsUntil ? { expiration_time: Math.floor(restsUntil.getTime() / 1000) } : {}),
    ...(isPostOnly ? { post_only: true } : {}),
  };
}

/** The outcome of one order of a message; unknown when the response cannot be attributed to it. */
function outcomeIn(
  orders: readonly Wire[],
  request: PlaceOrderRequest,
  index: number,
): PlaceOrderOutcome {
  const { clientOrderId } = request;
  const named = orders.find((order) => text(order, 'client_order_id') === clientOrderId);
  const placed = orders[index];
  const mine = named ?? (placed && text(placed, 'client_order_id') === '' ? placed : undefined);
  if (!mine) return UNREADABLE;
  const isRefused = Object.keys(asWire(mine.error)).length > 0;
  // Rejections within a message have no status of their own: an unknown code proves nothing.
  const status = isRefused ? 409 : 201;
  return orderOutcome(
    { kind: 'answered', status, body: mine, isJson: true, date: undefined },
    request,
  );
}
