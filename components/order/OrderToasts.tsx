import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleDashed, X } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import { PageLink } from '#components/ui/PageLink.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { followOrderUpdates } from '#lib/browser/live/orderUpdates.ts';
import { followSession } from '#lib/browser/session/session.ts';
import { soundOrder } from '#lib/browser/sound/orderSound.ts';
import { createStore, useStore } from '#lib/browser/storage/store.ts';
import { isParked } from '#lib/market/restingOrder.ts';
import { limitView, partWords } from './limitView.ts';
import { MarketName } from './MarketName.tsx';
import { isMishap, statusWords } from './orderView.ts';
import { useOrderSummary } from './useOrderSummary.ts';

export function OrderToasts() {
  const cache = useQueryClient();
  const path = usePathname();
  useEffect(() => followOrderUpdates(cache, notify), [cache]);
  useEffect(() => followSession(dropAllToasts), []);
  const toasts = useStore(orderToasts, []);
  return (
    <div
      role="status"
      aria-label="Your orders"
      className="pointer-events-none fixed inset-x-4 top-[calc(var(--header-height)+8px)] z-30 grid justify-items-end gap-2 lg:top-auto lg:right-6 lg:bottom-6 lg:left-auto"
    >
      {toasts
        // The order's own page shows the same in more detail.
        .filter((order) => path !== `/orders/${order.id}`)
        .map((order) => (
          <Toast key={order.id} order={order} />
        ))}
    </div>
  );
}

function notify(order: OrderRecord): void {
  if (isReported(order.id)) dropToast(order.id);
  else toastOrder(order);
  soundOrder(order);
}

/** The ticket that placed the order shows it in place, unless its sheet is closed. */
function isReported(id: string): boolean {
  return document.querySelector(`[data-order="${id}"]`)?.checkVisibility() ?? false;
}

function Toast({ order }: { order: OrderRecord }) {
  const summary = useOrderSummary(order);
  const what = `${summary.verb} ${summary.what}`;
  const view = limitView(order);
  return (
    <div className="pointer-events-auto flex w-full max-w-[22.5rem] items-center gap-3 rounded-md border border-line bg-surface py-2 pr-2 pl-4 text-14 shadow-(--shadow-float) motion-safe:animate-[rise_var(--calm)_ease]">
      <ToastMark order={order} />
      <PageLink href={`/orders/${order.id}`} className="min-w-0 flex-1 py-1 hover:underline">
        <span className="block font-medium">
          {(view && partWords(view)) ?? `${what} · ${statusWords(order)}`}
        </span>
        {summary.marketId && <MarketName ticker={summary.marketId} />}
      </PageLink>
      <button
        type="button"
        aria-label={`Dismiss: ${what}`}
        onClick={() => dropToast(order.id)}
        className="grid size-11 shrink-0 place-items-center rounded-md text-ink-3 hover:bg-sunken hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}

function ToastMark({ order }: { order: OrderRecord }) {
  if (isMishap(order)) return <CircleAlert aria-hidden className="size-5 text-no" />;
  if (order.status === 'completed') return <CircleCheck aria-hidden className="size-5 text-yes" />;
  if (order.isComplete || isParked(order))
    return <CircleDashed aria-hidden className="size-5 text-ink-2" />;
  return <Spinner />;
}

const orderToasts = createStore<readonly OrderRecord[]>([]);

const SHOWN_MS = 8_000;
const MOST = 3;
const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** Replaces the toast of the order's previous step; only a failure stays. */
function toastOrder(order: OrderRecord): void {
  const others = orderToasts.get().filter((one) => one.id !== order.id);
  orderToasts.set([...others, order].slice(-MOST));
  clearTimeout(timers.get(order.id));
  timers.delete(order.id);
  if (!isMishap(order)) {
    timers.set(
      order.id,
      setTimeout(() => dropToast(order.id), SHOWN_MS),
    );
  }
}

/** One account's orders must not be announced to the next account. */
function dropAllToasts(): void {
  for (const { id } of orderToasts.get()) dropToast(id);
}

function dropToast(id: string): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  orderToasts.set(orderToasts.get().filter((one) => one.id !== id));
}
