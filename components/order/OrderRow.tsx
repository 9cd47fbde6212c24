'use client';

import { Moment } from '#components/ui/Moment.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { dollars } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { MarketName } from './MarketName.tsx';
import { isMishap, orderSummary, statusWords } from './orderView.ts';

/** One order in a list: what, of which market, how far, for how much, since when. */
export function OrderRow({ order }: { order: OrderRecord }) {
  const summary = orderSummary(order);
  return (
    <li>
      <a
        href={`/orders/${order.id}`}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-3 hover:bg-sunken md:grid-cols-[minmax(0,1fr)_10.625rem_6.875rem_8.125rem]"
      >
        <span className="min-w-0 max-md:col-span-2">
          <span className="block font-medium">
            {summary.verb} {summary.what}
          </span>
          {summary.marketId && <MarketName ticker={summary.marketId} />}
        </span>
        <span className="flex items-center gap-2 text-14 max-md:col-start-1 max-md:row-start-2">
          {!order.isComplete && <Spinner />}
          <span className={isMishap(order) ? 'text-no' : 'text-ink-2'}>{statusWords(order)}</span>
        </span>
        <span className="nums text-right text-14 max-md:col-start-2 max-md:row-start-2">
          {order.quoteAmount && parseMicros(order.quoteAmount) > 0n
            ? dollars(parseMicros(order.quoteAmount))
            : ''}
        </span>
        <span className="text-13 text-ink-3 max-md:col-span-2 md:text-right">
          <Moment at={order.createdAt} />
        </span>
      </a>
    </li>
  );
}
