'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useApp } from '#components/app/useApp.ts';
import { Button, buttonStyle } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { Moment } from '#components/ui/Times.tsx';
import { ConnectPrompt } from '#components/wallet/ConnectPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { orderListQuery } from '#lib/api/queries/orders.ts';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { dollars } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { orderSummary, statusWords } from './orderView.ts';

export function OrderTable() {
  return (
    <ConnectPrompt what="your orders" signedIn>
      <Orders />
    </ConnectPrompt>
  );
}

function Orders() {
  const { api } = useApp();
  const { wallet, session } = useVisitor();
  const orders = useQuery({
    ...orderListQuery(api, { userAddress: wallet.address, type: 'all' }),
    enabled: session !== undefined,
  });
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
  if (orders.data.orders.length === 0) {
    return (
      <EmptyState
        title="No orders yet"
        action={
          <Link href="/" className={buttonStyle('primary')}>
            Find a market
          </Link>
        }
      >
        What you buy, sell and withdraw will be listed here.
      </EmptyState>
    );
  }
  return (
    <ul className="sheet divide-y">
      {orders.data.orders.map((order) => (
        <OrderRow key={order.id} order={order} />
      ))}
    </ul>
  );
}

function OrderRow({ order }: { order: OrderRecord }) {
  const summary = orderSummary(order);
  return (
    <li>
      <Link
        href={`/orders/${order.id}`}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-3 hover:bg-sunken md:grid-cols-[minmax(0,1fr)_170px_110px_130px]"
      >
        <span className="min-w-0">
          <span className="block font-medium">
            {summary.verb} {summary.what}
          </span>
          <span className="block truncate text-[13px] text-ink-3">{summary.marketId}</span>
        </span>
        <span className="flex items-center gap-2 text-[14px] max-md:justify-end">
          {!order.isComplete && <Spinner />}
          <span className={order.status === 'failed' ? 'text-no' : 'text-ink-2'}>
            {statusWords(order)}
          </span>
        </span>
        <span className="nums text-[14px] md:text-right">
          {order.quoteAmount && parseMicros(order.quoteAmount) > 0n
            ? dollars(parseMicros(order.quoteAmount))
            : ''}
        </span>
        <span className="text-right text-[13px] text-ink-3">
          <Moment at={order.createdAt} />
        </span>
      </Link>
    </li>
  );
}
