import { formatMicrosFixed } from '#lib/money.ts';
import type { ExchangeTiming } from '../../platform/config/exchange.ts';
import type { Log } from '../../platform/log.ts';
import type {
  AmendOrderOutcome,
  AmendOrderRequest,
  DecreaseOrderRequest,
  ExchangeRestingOrders,
  ReadOrderOutcome,
  RestingOrder,
} from '../restingOrders.ts';
import { type OwnLists, pages, unlessMissing } from './archive.ts';
import { createCancelBatcher } from './cancelBatcher.ts';
import { amendOutcome } from './changeOutcome.ts';
import type { HttpClient } from './httpClient.ts';
import { orderPath } from './orderPaths.ts';
import type { OwnFeed } from './ownFeed.ts';
import { readRestingOrder } from './ownRecords.ts';
import { readsKnownThrough, withMargin } from './readTime.ts';
import { toBook } from './sides.ts';
import { asList, asWire, countMicros, text, type Wire } from './wire.ts';

/** Tickers per request, for the length of its address. */
const MOST_TICKERS = 50;

/** Orders that rest at the exchange. */
export function createRestingOrders(
  {
    http,
    own,
    feed,
    timing,
  }: { http: HttpClient; own: OwnLists; feed: OwnFeed; timing: ExchangeTiming },
  log: Log,
  now: () => number,
): ExchangeRestingOrders {
  function readLogged(wire: Wire): RestingOrder | undefined {
    const order = readRestingOrder(wire);
    if (!order) log.error({ orderId: text(wire, 'order_id') }, 'an order of ours cannot be read');
    return order;
  }

  /** Reads an order that the live endpoint does not have: it is archived, or not to be read yet. */
  async function readArchived(query: {
    ticker: string;
    exchangeOrderId: string;
    sentAt: Date;
  }): Promise<ReadOrderOutcome> {
    const { ticker, exchangeOrderId, sentAt } = query;
    // Read before the scan, so that the scan is at least as new.
    const { theirs, ours } = await readsKnownThrough(http, now);
    for await (const wire of own.orders(withMargin(sentAt), { ticker })) {
      if (text(wire, 'order_id') !== exchangeOrderId) continue;
      const order = readLogged(wire);
      return order ? { kind: 'found', order } : { kind: 'not_yet_known' };
    }
    const isOver = Math.min(theirs, ours) >= sentAt.getTime() + timing.absenceMs;
    return isOver ? { kind: 'absent' } : { kind: 'not_yet_known' };
  }

  return {
    cancelOrder: createCancelBatcher(http),
    amendOrder: (request) => change(http, 'amend', request, amendWire(request)),
    decreaseOrder: (request) => change(http, 'decrease', request, decreaseWire(request)),
    onOrderChange: (handlers) => feed.onOrderChange(handlers),

    async readOrder(query): Promise<ReadOrderOutcome> {
      const { exchangeOrderId } = query;
      const ended = feed.endedOrder(exchangeOrderId);
      if (ended) return { kind: 'found', order: ended };
      const path = `/portfolio/orders/${encodeURIComponent(exchangeOrderId)}`;
      const body = await unlessMissing(() => http.get(path, {}, { isKeyed: true }));
      if (!body) return await readArchived(query);
      const order = readLogged(asWire(body.order));
      return order ? { kind: 'found', order } : { kind: 'not_yet_known' };
    },

    async listRestingOrders() {
      const orders = new Map<string, RestingOrder>();
      const listed = pages(http, '/portfolio/orders', { status: 'resting' }, 'orders');
      for await (const wire of listed) {
        const order = readLogged(wire);
        if (order && !order.hasEnded) orders.set(order.exchangeOrderId, order);
      }
      return [...orders.values()];
    },

    async listQueuePositions(tickers) {
      const positions = new Map<string, bigint>();
      for (let from = 0; from < tickers.length; from += MOST_TICKERS) {
        const query = { market_tickers: tickers.slice(from, from + MOST_TICKERS).join(',') };
        const path = '/portfolio/orders/queue_positions';
        const body = await http.get(path, query, { isKeyed: true });
        for (const wire of asList(body.queue_positions).map(asWire)) {
          const exchangeOrderId = text(wire, 'order_id');
          const ahead = countMicros(wire, 'queue_position');
          if (exchangeOrderId !== '' && ahead !== undefined) positions.set(exchangeOrderId, ahead);
        }
      }
      return positions;
    },
  };
}

async function change(
  http: HttpClient,
  kind: 'amend' | 'decrease',
  { exchangeOrderId, storedAt, mayBeSent }: AmendOrderRequest | DecreaseOrderRequest,
  content: object,
): Promise<AmendOrderOutcome> {
  const response = await http.post(`${orderPath(exchangeOrderId)}/${kind}`, {
    signedAt: storedAt,
    requests: 1,
    body: async () => ((await mayBeSent()) ? content : undefined),
  });
  return amendOutcome(response);
}

function amendWire(request: AmendOrderRequest): object {
  const place = toBook(request.action, request.side, request.limitPriceMicros);
  return {
    ticker: request.ticker,
    exchange_index: request.shard,
    side: place.bookSide,
    count: formatMicrosFixed(request.contractMicros, 2),
    price: formatMicrosFixed(place.yesPriceMicros, 4),
  };
}

function decreaseWire(request: DecreaseOrderRequest): object {
  return {
    market_ticker: request.ticker,
    exchange_index: request.shard,
    // By an amount and not to one: a fill that comes first leaves the quantity in force the same.
    reduce_by: formatMicrosFixed(request.byContractMicros, 2),
  };
}
