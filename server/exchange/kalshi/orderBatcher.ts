import { formatMicrosFixed } from '#lib/money.ts';
import type { ExchangeTrading, PlaceOrderOutcome, PlaceOrderRequest } from '../port.ts';
import type { HttpClient, HttpResponseBody, Message } from './httpClient.ts';
import { orderOutcome } from './orderOutcome.ts';
import { toBook } from './sides.ts';
import { asList, asWire, text, type Wire } from './wire.ts';

const PATH = '/portfolio/events/orders';
const BATCH_PATH = `${PATH}/batched`;
/** Orders per message: beyond this, waiting for each other costs more than separate messages. */
const MOST_TOGETHER = 20;

type Post = Pick<HttpClient, 'post' | 'mostPosted'>;

type Waiting = {
  request: PlaceOrderRequest;
  resolve: (outcome: PlaceOrderOutcome) => void;
  reject: (reason: unknown) => void;
};

/**
 * Places orders. Orders of the same turn of the event loop share one message, in which each
 * succeeds or fails individually; a single order is sent unbatched.
 */
export function createOrderBatcher(http: Post): ExchangeTrading['placeOrder'] {
  let waiting: Waiting[] = [];

  function sendAll(): void {
    const most = Math.min(MOST_TOGETHER, http.mostPosted(BATCH_PATH));
    const taken = waiting;
    waiting = [];
    for (let from = 0; from < taken.length; from += most) {
      void send(http, taken.slice(from, from + most));
    }
  }

  return (request) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(sendAll);
      waiting.push({ request, resolve, reject });
    });
}

async function send(http: Post, orders: readonly Waiting[]): Promise<void> {
  try {
    const requests = orders.map(({ request }) => request);
    const outcomes = await placeAll(http, requests);
    for (const [index, { resolve }] of orders.entries()) {
      resolve(outcomes[index] ?? UNREADABLE);
    }
  } catch (error) {
    for (const { reject } of orders) reject(error);
  }
}

const UNREADABLE: PlaceOrderOutcome = { kind: 'unknown', code: 'unreadable_answer' };
const NOT_SENT: PlaceOrderOutcome = { kind: 'unknown', code: 'not_sent' };

async function placeAll(
  http: Post,
  requests: readonly PlaceOrderRequest[],
): Promise<PlaceOrderOutcome[]> {
  const [first, ...others] = requests;
  if (first && others.length === 0) return [await placeAlone(http, first)];
  const leaving = new Set<PlaceOrderRequest>();
  const response = await http.post(
    BATCH_PATH,
    messageOf(requests, (allowed) => {
      for (const request of allowed) leaving.add(request);
      return { orders: allowed.map(orderWire) };
    }),
  );
  const outcomes = await outcomesOf(http, [...leaving], response);
  return requests.map((request) => outcomes.get(request) ?? NOT_SENT);
}

/** The outcome of each order in a message. */
async function outcomesOf(
  http: Post,
  requests: readonly PlaceOrderRequest[],
  response: HttpResponseBody,
): Promise<Map<PlaceOrderRequest, PlaceOrderOutcome>> {
  const orders =
    response.kind === 'answered' && response.status < 300 ? asList(response.body.orders) : [];
  if (orders.length > 0) {
    const wires = orders.map(asWire);
    return new Map(
      requests.map((request, index) => [request, outcomeIn(wires, request.clientOrderId, index)]),
    );
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
  return orderOutcome(await http.post(PATH, message));
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

/** An immediate-or-cancel limit order on the Yes book. */
function orderWire(request: PlaceOrderRequest): object {
  const place = toBook(request.action, request.side, request.limitPriceMicros);
  return {
    ticker: request.ticker,
    exchange_index: request.shard,
    client_order_id: request.clientOrderId,
    side: place.bookSide,
    count: formatMicrosFixed(request.contractMicros, 2),
    price: formatMicrosFixed(place.yesPriceMicros, 4),
    time_in_force: 'immediate_or_cancel',
    self_trade_prevention_type: 'taker_at_cross',
  };
}

/** The outcome of one order of a message; unknown when the response cannot be attributed to it. */
function outcomeIn(
  orders: readonly Wire[],
  clientOrderId: string,
  index: number,
): PlaceOrderOutcome {
  const named = orders.find((order) => text(order, 'client_order_id') === clientOrderId);
  const placed = orders[index];
  const mine = named ?? (placed && text(placed, 'client_order_id') === '' ? placed : undefined);
  if (!mine) return UNREADABLE;
  const isRefused = Object.keys(asWire(mine.error)).length > 0;
  // Rejections within a message have no status of their own: an unknown code proves nothing.
  const status = isRefused ? 409 : 201;
  return orderOutcome({ kind: 'answered', status, body: mine, isJson: true, date: undefined });
}
