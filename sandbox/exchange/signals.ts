import type { BookSide } from './book.ts';
import type { Trade } from './history.ts';
import type { ExchangeEvent, ExchangeMarket } from './market.ts';
import type { Fill, Order, UpdateReason } from './order.ts';
import type { OrderGroup } from './orderGroups.ts';
import type { EventFeeChange } from './state.ts';

/** The exchange's messages to its subscribers, in chronological order. */
export type Signal =
  | {
      kind: 'book';
      market: ExchangeMarket;
      side: BookSide;
      priceMicros: bigint;
      deltaMicros: bigint;
      order?: Order;
    }
  | { kind: 'trade'; market: ExchangeMarket; trade: Trade }
  | { kind: 'ticker'; market: ExchangeMarket }
  | { kind: 'fill'; fill: Fill }
  | { kind: 'order'; order: Order; reason?: UpdateReason }
  | { kind: 'lifecycle'; market: ExchangeMarket; eventType: string }
  | { kind: 'event'; event: ExchangeEvent }
  | { kind: 'order_group'; group: OrderGroup; eventType: OrderGroupEvent }
  | { kind: 'event_fee'; change: EventFeeUpdate };

type EventFeeUpdate = Pick<
  EventFeeChange,
  'event_ticker' | 'fee_type_override' | 'fee_multiplier_override'
>;

export type OrderGroupEvent = 'created' | 'triggered' | 'reset' | 'deleted' | 'limit_updated';

export type Signals = {
  listen(listener: (signal: Signal) => void): () => void;
  emit(signal: Signal): void;
  /** False without listeners, so that their work can be skipped. */
  readonly received: boolean;
};

export function createSignals(): Signals {
  const listeners = new Set<(signal: Signal) => void>();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit(signal) {
      for (const listener of listeners) listener(signal);
    },
    get received() {
      return listeners.size > 0;
    },
  };
}
