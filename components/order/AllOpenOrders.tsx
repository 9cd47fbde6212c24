import { EmptyState } from '#components/ui/EmptyState.tsx';
import { CancelAll, OpenOrderList } from './OpenOrders.tsx';
import { useOpenOrders } from './useOpenOrders.ts';

/** The open orders of all markets. */
export function AllOpenOrders() {
  const orders = useOpenOrders();
  if (orders.length === 0) {
    return (
      <EmptyState title="No open orders" link={{ href: '/', label: 'Find a market' }}>
        Limit and stop orders wait here until they are filled or cancelled.
      </EmptyState>
    );
  }
  return (
    <section aria-label="Open orders" className="@container grid gap-3">
      <div className="flex justify-end empty:hidden">
        <CancelAll ticker={undefined} orders={orders} />
      </div>
      <OpenOrderList orders={orders} hasNames />
    </section>
  );
}
