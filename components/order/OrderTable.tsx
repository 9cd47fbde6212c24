'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { Button, buttonStyle } from '#components/ui/Button.tsx';
import { CsvButton } from '#components/ui/CsvButton.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { ConnectPrompt } from '#components/wallet/ConnectPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { orderPagesQuery } from '#lib/api/queries/orders.ts';
import { OrderRow } from './OrderRow.tsx';
import { type OrderListFilter, orderQueryOf } from './orderFilter.ts';

export function OrderTable({ filter }: { filter: OrderListFilter }) {
  return (
    <ConnectPrompt what="your orders" signedIn>
      <Orders filter={filter} />
    </ConnectPrompt>
  );
}

function Orders({ filter }: { filter: OrderListFilter }) {
  const { api } = useApp();
  const { wallet } = useVisitor();
  const orders = useInfiniteQuery(orderPagesQuery(api, orderQueryOf(filter, wallet.address)));
  if (orders.isPending) return <div className="skeleton h-64" role="status" aria-label="Loading" />;
  if (orders.isError && !orders.data) {
    return (
      <EmptyState
        title="Your orders did not load"
        action={<Button onClick={() => void orders.refetch()}>Try again</Button>}
      >
        {orders.error.message}
      </EmptyState>
    );
  }
  const listed = orders.data.pages.flatMap((page) => page.orders);
  if (listed.length === 0)
    return <NoOrders isFiltered={filter.type !== 'all' || filter.status !== 'any'} />;
  return (
    <div className="grid gap-4">
      <ul className="sheet divide-y">
        {listed.map((order) => (
          <OrderRow key={order.id} order={order} />
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <CsvButton
          name="orders"
          query={{ ...(wallet.address && { userAddress: wallet.address }), type: filter.type }}
        />
        {orders.hasNextPage && (
          <Button disabled={orders.isFetchingNextPage} onClick={() => void orders.fetchNextPage()}>
            {orders.isFetchingNextPage && <Spinner />}
            Earlier orders
          </Button>
        )}
      </div>
    </div>
  );
}

function NoOrders({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        title="No orders like that"
        action={
          <a href="/orders" className={buttonStyle('outline')}>
            Show all orders
          </a>
        }
      />
    );
  }
  return (
    <EmptyState
      title="No orders yet"
      action={
        <a href="/" className={buttonStyle('primary')}>
          Find a market
        </a>
      }
    >
      What you buy, sell and withdraw will be listed here.
    </EmptyState>
  );
}
