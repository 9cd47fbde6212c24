import type { CancelOrderOutcome, CancelOrderRequest } from '../restingOrders.ts';
import { createBatcher } from './batcher.ts';
import { cancelOutcome } from './changeOutcome.ts';
import type { HttpClient, HttpResponseBody } from './httpClient.ts';
import { BATCH_PATH, MOST_TOGETHER, orderPath } from './orderPaths.ts';
import { asList, asWire, text, type Wire } from './wire.ts';

type Delete = Pick<HttpClient, 'delete' | 'mostTogether'>;
type Outcomes = Map<CancelOrderRequest, CancelOrderOutcome>;

/** A rejection for too many requests is over once the bucket has tokens again. */
const ATTEMPTS = 3;

/**
 * Cancels orders. Cancellations of the same turn of the event loop share one message, in which each
 * succeeds or fails individually. They go before orders and are repeated after a 429: an order that
 * its owner wants to end should not wait for new ones.
 */
export function createCancelBatcher(
  http: Delete,
): (request: CancelOrderRequest) => Promise<CancelOrderOutcome> {
  const cancel = createBatcher<CancelOrderRequest, CancelOrderOutcome>({
    most: () => Math.min(MOST_TOGETHER, http.mostTogether('DELETE', BATCH_PATH)),
    send: (requests) => cancelAll(http, requests),
    missing: { kind: 'unknown', code: 'not_sent' },
  });
  return async (request) => {
    let outcome = await cancel(request);
    for (let attempt = 2; attempt <= ATTEMPTS && isLimited(outcome); attempt += 1) {
      outcome = await cancel(request);
    }
    return outcome;
  };
}

function isLimited(outcome: CancelOrderOutcome): boolean {
  return outcome.kind === 'wait' && outcome.code === 'too_many_requests';
}

async function cancelAll(http: Delete, requests: readonly CancelOrderRequest[]): Promise<Outcomes> {
  const [first, ...others] = requests;
  if (first && others.length === 0) return new Map([[first, await cancelAlone(http, first)]]);
  const leaving: CancelOrderRequest[] = [];
  const response = await http.delete(BATCH_PATH, {
    requests: requests.length,
    async body() {
      const may = await Promise.all(requests.map((request) => request.mayBeSent()));
      leaving.push(...requests.filter((_, index) => may[index]));
      return leaving.length === 0 ? undefined : { orders: leaving.map(cancelWire) };
    },
  });
  return await outcomesOf(http, leaving, response);
}

/** The outcome of each cancellation in a message. */
async function outcomesOf(
  http: Delete,
  requests: readonly CancelOrderRequest[],
  response: HttpResponseBody,
): Promise<Outcomes> {
  if (response.kind === 'answered' && response.status < 300) {
    const wires = asList(response.body.orders).map(asWire);
    if (wires.length > 0) {
      return new Map(requests.map((request, index) => [request, outcomeIn(wires, request, index)]));
    }
  }
  const forAll = cancelOutcome(response);
  // The exchange rejected the whole message; sent individually, each gets its own outcome.
  const goesAlone = forAll.kind === 'not_resting' || forAll.kind === 'our_fault';
  const outcomes = requests.map(
    async (request) => [request, goesAlone ? await cancelAlone(http, request) : forAll] as const,
  );
  return new Map(await Promise.all(outcomes));
}

async function cancelAlone(http: Delete, request: CancelOrderRequest): Promise<CancelOrderOutcome> {
  const response = await http.delete(orderPath(request.exchangeOrderId), {
    requests: 1,
    // Without a market, the exchange looks for the order on its first shard.
    query: { market_ticker: request.ticker, exchange_index: request.shard },
    body: async () => ((await request.mayBeSent()) ? '' : undefined),
  });
  return cancelOutcome(response);
}

function cancelWire({ exchangeOrderId, ticker, shard }: CancelOrderRequest): object {
  return { order_id: exchangeOrderId, market_ticker: ticker, exchange_index: shard };
}

function outcomeIn(
  orders: readonly Wire[],
  { exchangeOrderId }: CancelOrderRequest,
  index: number,
): CancelOrderOutcome {
  const isNamed = (order: Wire) => text(order, 'order_id') === exchangeOrderId;
  const placed = orders[index];
  const mine = placed && isNamed(placed) ? placed : orders.find(isNamed);
  if (!mine) return { kind: 'unknown', code: 'unreadable_answer' };
  const isRefused = Object.keys(asWire(mine.error)).length > 0;
  // Rejections within a message have no status of their own: an unknown code proves nothing.
  const status = isRefused ? 409 : 200;
  return cancelOutcome({ kind: 'answered', status, body: mine, isJson: true, date: undefined });
}
