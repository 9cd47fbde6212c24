import { LRUCache } from 'lru-cache';
import type { FindOrderOutcome } from '../port.ts';
import type { OrderChangeHandlers, RestingOrder } from '../restingOrders.ts';
import { followChannels, type SocketOptions } from './channels.ts';
import { createFillBuffer, type FillBuffer } from './fillBuffer.ts';
import { readOrder, readRestingOrder } from './ownRecords.ts';
import { asWire, text, type Wire } from './wire.ts';

/** Orders of other processes come on the feed too. */
const MOST_ENDED_ORDERS = 2_000;

/** What the feed says of our own orders. */
export type OwnFeed = {
  follow(signal: AbortSignal): void;
  whenComplete: FillBuffer['whenComplete'];
  onOrderChange(handlers: OrderChangeHandlers): void;
  /** What the feed says of an ended order is final and needs no read. */
  endedAttempt(clientOrderId: string): FindOrderOutcome | undefined;
  endedOrder(exchangeOrderId: string): RestingOrder | undefined;
};

export function createOwnFeed(socket: SocketOptions): OwnFeed {
  const received = createFillBuffer();
  const endedAttempts = new LRUCache<string, FindOrderOutcome>({ max: MOST_ENDED_ORDERS });
  const endedOrders = new LRUCache<string, RestingOrder>({ max: MOST_ENDED_ORDERS });
  const listeners = new Set<OrderChangeHandlers>();

  function receiveOrder(wire: Wire): void {
    const attempt = readOrder(wire);
    const clientOrderId = text(wire, 'client_order_id');
    if (clientOrderId !== '' && attempt?.kind === 'found' && attempt.ended) {
      endedAttempts.set(clientOrderId, attempt);
    }
    const order = readRestingOrder(wire);
    if (order?.hasEnded) endedOrders.set(order.exchangeOrderId, order);
  }

  function announce(wire: Wire): void {
    const exchangeOrderId = text(wire, 'order_id');
    if (exchangeOrderId === '') return;
    const clientOrderId = text(wire, 'client_order_id');
    const ticker = text(wire, 'ticker', 'market_ticker');
    for (const { onChange } of listeners) onChange({ exchangeOrderId, clientOrderId, ticker });
  }

  return {
    follow(signal) {
      followChannels(socket, {
        channels: ['fill', 'user_orders'],
        onMessage: ({ type, msg }) => {
          const wire = asWire(msg);
          if (type === 'fill') received.add(wire);
          else if (type === 'user_order') receiveOrder(wire);
          else return;
          announce(wire);
        },
        onGap: () => {
          received.setHearing(true);
          for (const { onGap } of listeners) onGap();
        },
        onClose: () => received.setHearing(false),
        signal,
      });
    },
    whenComplete: (...query) => received.whenComplete(...query),
    onOrderChange(handlers) {
      if (handlers.signal.aborted) return;
      listeners.add(handlers);
      handlers.signal.addEventListener('abort', () => listeners.delete(handlers), { once: true });
    },
    endedAttempt: (clientOrderId) => endedAttempts.get(clientOrderId),
    endedOrder: (exchangeOrderId) => endedOrders.get(exchangeOrderId),
  };
}
