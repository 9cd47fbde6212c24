import { useState } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { isParked } from '#lib/market/restingOrder.ts';
import { OpenOrderRow } from './OpenOrderRow.tsx';
import { useCancelOrders } from './useChangeOrder.ts';
import { useOpenOrders } from './useOpenOrders.ts';

type OpenOrdersProps = {
  /** Only orders of this market. */
  ticker?: string;
  /** The market's name, if the page shows several markets. */
  label?: string | undefined;
};

/** Orders that wait or are on their way, to amend and cancel in place. Nothing without any. */
export function OpenOrders({ ticker, label }: OpenOrdersProps) {
  const orders = useOpenOrders(ticker);
  if (orders.length === 0) return null;
  return (
    <section aria-label={label ? `Open orders, ${label}` : 'Open orders'} className="@container">
      <div className="mb-3 flex min-h-11 items-center justify-between gap-4">
        <h2 className="min-w-0 font-semibold text-17">
          Open orders
          {label && (
            <span className="wrap-anywhere block font-normal text-14 text-ink-2">{label}</span>
          )}
        </h2>
        <CancelAll ticker={ticker} orders={orders} />
      </div>
      <OpenOrderList orders={orders} hasNames={ticker === undefined} />
    </section>
  );
}

type OpenOrderListProps = {
  orders: readonly OrderRecord[];
  /** Whether each order names its market. */
  hasNames: boolean;
};

export function OpenOrderList({ orders, hasNames }: OpenOrderListProps) {
  return (
    <ul className="sheet divide-y">
      {orders.map((order) => (
        <OpenOrderRow key={order.id} order={order} hasName={hasNames} />
      ))}
    </ul>
  );
}

type CancelAllProps = { ticker: string | undefined; orders: readonly OrderRecord[] };

/** Asks once more: what is cancelled loses its place in the queue. */
export function CancelAll({ ticker, orders }: CancelAllProps) {
  const cancel = useCancelOrders(ticker);
  const [isAsked, setIsAsked] = useState(false);
  const count = orders.filter((order) => isParked(order) && order.endReason === null).length;
  if (count < 2) return <ErrorNotice error={cancel.error} />;
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <ErrorNotice error={cancel.error} />
      {isAsked && (
        <Button size="s" tone="quiet" onClick={() => setIsAsked(false)}>
          Keep them
        </Button>
      )}
      <Button
        size="s"
        tone="outline"
        isBusy={cancel.isPending}
        onClick={() => {
          if (isAsked) cancel.mutate();
          setIsAsked(!isAsked);
        }}
      >
        {isAsked ? `Confirm: cancel ${count} orders` : 'Cancel all'}
      </Button>
    </div>
  );
}
