'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { CsvButton } from '#components/ui/CsvButton.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { PagedList } from '#components/ui/PagedList.tsx';
import { SignInPrompt } from '#components/wallet/SignInPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { orderPagesQuery } from '#lib/browser/queries/orders.ts';
import { OrderRow } from './OrderRow.tsx';
import { type OrderListFilter, orderQueryOf } from './orderFilter.ts';

export function OrderTable({ filter }: { filter: OrderListFilter }) {
  return (
    <SignInPrompt what="your orders">
      <Orders filter={filter} />
    </SignInPrompt>
  );
}

function Orders({ filter }: { filter: OrderListFilter }) {
  const { api } = useApp();
  const { wallet } = useVisitor();
  const asked = orderQueryOf(filter, wallet.address);
  const orders = useInfiniteQuery(orderPagesQuery(api, asked));
  const { userAddress: _, ...narrowed } = asked;
  return (
    <PagedList
      caption="Your orders, newest first"
      columns={COLUMNS}
      query={orders}
      itemsOf={(page) => page.orders}
      failedTitle="Your orders could not be loaded"
      empty={<NoOrders isFiltered={filter.type !== 'all' || filter.status !== 'any'} />}
      moreLabel="Load more"
      footer={
        <CsvButton
          name="orders"
          query={{ ...narrowed, ...(wallet.address && { userAddress: wallet.address }) }}
        />
      }
    >
      {(order) => <OrderRow key={order.id} order={order} />}
    </PagedList>
  );
}

const COLUMNS = [
  { label: 'Market' },
  { label: 'Type', width: 'lg:w-[6.5rem]' },
  { label: 'Contracts', width: 'lg:w-[7rem]', isFigure: true },
  { label: 'Avg price', width: 'lg:w-[7.5rem]', isFigure: true },
  { label: 'Total', width: 'lg:w-[8rem]', isFigure: true },
  { label: 'Status', width: 'lg:w-[11rem] xl:w-[13.5rem]' },
  { label: 'Time', width: 'lg:w-[8.5rem]', isFigure: true },
] as const;

function NoOrders({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState title="No matching orders" link={{ href: '/orders', label: 'Show all orders' }} />
    );
  }
  return (
    <EmptyState title="No orders yet" link={{ href: '/', label: 'Find a market', tone: 'primary' }}>
      Your orders and withdrawals appear here.
    </EmptyState>
  );
}
