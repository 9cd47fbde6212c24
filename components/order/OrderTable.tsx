'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useApp } from '#components/app/useApp.ts';
import { CsvButton } from '#components/ui/CsvButton.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { LIST_ROW, PagedList } from '#components/ui/PagedList.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { SignInPrompt } from '#components/wallet/SignInPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { orderPagesQuery } from '#lib/browser/queries/orders.ts';
import { shortHex } from '#lib/format/address.ts';
import { centsRounded, contractsRounded, dollars } from '#lib/format/money.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import { isParked } from '#lib/market/restingOrder.ts';
import { MarketName, useNamesKnown } from './MarketName.tsx';
import { type OrderFigures, orderFigures } from './orderFigures.ts';
import { type OrderListFilter, ordersHref } from './orderFilter.ts';
import {
  isMishap,
  type OrderSummary,
  orderSummary,
  partlyFilled,
  statusWords,
} from './orderView.ts';
import { useMarketDistinctions } from './useDistinctions.ts';
import { useOrderMarkets, useOrderSummary } from './useOrderSummary.ts';
import { ValueNow } from './ValueNow.tsx';

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
  const asked = { type: filter.type, ...(filter.status !== 'any' && { status: filter.status }) };
  const orders = useInfiniteQuery(orderPagesQuery(api, { ...asked, userAddress: wallet.address }));
  const listed = orders.data?.pages.flatMap((page) => page.orders) ?? [];
  const distinctions = useMarketDistinctions(listed.map((order) => orderSummary(order).marketId));
  const isReady = useNamesKnown(useOrderMarkets(orders.data?.pages[0]?.orders));
  return (
    <PagedList
      caption="Your orders, newest first"
      isReady={isReady}
      columns={COLUMNS}
      query={orders}
      itemsOf={(page) => page.orders}
      failedTitle="Your orders could not be loaded"
      empty={<NoOrders isFiltered={ordersHref(filter, {}) !== '/orders'} />}
      footer={
        <CsvButton
          name="orders"
          query={{ ...asked, ...(wallet.address && { userAddress: wallet.address }) }}
        />
      }
    >
      {(order) => <OrderRow key={order.id} order={order} distinctions={distinctions} />}
    </PagedList>
  );
}

const COLUMNS = [
  { label: 'Market' },
  { label: 'Type', width: 'lg:w-[8rem]' },
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

type OrderRowProps = { order: OrderRecord; distinctions: ReadonlyMap<string, string> };

function OrderRow({ order, distinctions }: OrderRowProps) {
  const summary = useOrderSummary(order);
  const figures = orderFigures(order);
  const { contractMicros, averageMicros } = figures;
  const partly = partlyFilled(order);
  const average = averageMicros === undefined ? undefined : centsRounded(averageMicros);
  return (
    <tr className={LIST_ROW}>
      <th scope="row" className="min-w-0 text-left font-normal">
        {/* The whole row links to the order. */}
        <PageLink href={`/orders/${order.id}`} className="block before:absolute before:inset-0">
          <span className="block font-medium text-15 lg:sr-only">
            {summary.verb} {summary.what}
          </span>
          <OrderAbout order={order} summary={summary} distinctions={distinctions} />
        </PageLink>
      </th>
      <td className="max-lg:hidden">
        {summary.verb} <Side side={summary.side} />
      </td>
      <td className="text-right max-lg:hidden">
        {contractMicros === undefined ? '–' : contractsRounded(contractMicros)}
      </td>
      <td className="text-right max-lg:hidden">{average ?? '–'}</td>
      <td className="text-right max-lg:col-start-2 max-lg:row-start-1 max-lg:self-start">
        <Total figures={figures} summary={summary} />
        {average && contractMicros !== undefined && (
          <span className="block text-13 text-ink-3 lg:hidden">
            {contractsRounded(contractMicros)} at {average}
          </span>
        )}
      </td>
      <td className="max-lg:col-start-1 max-lg:row-start-2 max-lg:self-center">
        <span className="flex items-center gap-2">
          {!order.isComplete && !isParked(order) && <Spinner />}
          <span className={isMishap(order) ? 'text-no' : 'text-ink-2'}>
            {statusWords(order)}
            {partly && <span className="block text-13 text-ink-3">{partly}</span>}
          </span>
        </span>
      </td>
      <td className="text-right text-13 text-ink-3 max-lg:col-start-2 max-lg:row-start-2 max-lg:self-center">
        <LocalTime at={order.createdAt} />
      </td>
    </tr>
  );
}

function OrderAbout({ order, summary, distinctions }: OrderRowProps & { summary: OrderSummary }) {
  const { action } = order;
  const { marketId } = summary;
  if (marketId) return <MarketName ticker={marketId} distinction={distinctions.get(marketId)} />;
  if (action.orderType !== 'Withdraw') return null;
  return (
    <span className="block max-lg:text-13 max-lg:text-ink-3">
      To <span className="font-mono">{shortHex(action.withdrawal.destinationAddress)}</span>
    </span>
  );
}

function Side({ side }: Pick<OrderSummary, 'side'>) {
  if (side === undefined) return null;
  return (
    <span className={clsx('font-medium', side === 'yes' ? 'text-yes' : 'text-no')}>
      {sideWord(side)}
    </span>
  );
}

type TotalProps = { figures: OrderFigures; summary: OrderSummary };

function Total({ figures, summary: { verb, marketId, side } }: TotalProps) {
  const { usdcMicros, quoteLimit, contractMicros = 0n } = figures;
  if (verb === 'Withdraw' && marketId && side) {
    return (
      <>
        <ValueNow marketId={marketId} side={side} contractMicros={contractMicros} />
        <span className="block text-13 text-ink-3">value now</span>
      </>
    );
  }
  if (usdcMicros === undefined) return <span className="max-lg:hidden">–</span>;
  if (quoteLimit === undefined) return dollars(usdcMicros);
  return (
    <span className="text-ink-3">
      <span aria-hidden>{quoteLimit === 'most' ? '≤' : '≥'} </span>
      <span className="sr-only">at {quoteLimit} </span>
      {dollars(usdcMicros)}
    </span>
  );
}
