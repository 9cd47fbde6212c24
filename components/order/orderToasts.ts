import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { createStore } from '#lib/browser/storage/store.ts';

/** Orders with a visible toast, newest last. */
export const orderToasts = createStore<readonly OrderRecord[]>([]);

const SHOWN_MS = 8_000;
const MOST = 3;
const timers = new Map<string, ReturnType<typeof setTimeout>>();

/**
 * Replaces the toast of an order's previous step. It disappears after a while unless the order
 * failed.
 */
export function toastOrder(order: OrderRecord): void {
  const others = orderToasts.get().filter((one) => one.id !== order.id);
  orderToasts.set([...others, order].slice(-MOST));
  clearTimeout(timers.get(order.id));
  timers.delete(order.id);
  if (order.status !== 'failed') {
    timers.set(
      order.id,
      setTimeout(() => dropToast(order.id), SHOWN_MS),
    );
  }
}

/** One account's orders must not be announced to the next account. */
export function dropAllToasts(): void {
  for (const { id } of orderToasts.get()) dropToast(id);
}

export function dropToast(id: string): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  orderToasts.set(orderToasts.get().filter((one) => one.id !== id));
}
