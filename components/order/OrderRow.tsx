'use client';

import { Moment } from '#components/ui/Moment.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { dollars } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { MarketName } from './MarketName.tsx';
import { orderSummary, statusWords } from './orderView.ts';

/** One order in a list: what, of which market, how far, for how much, since when. */
export function OrderRow({ order }: { order: OrderRecord }) {
  const summary = orderSummary(order);
  return (
    <li>
      <a
        href={`/orders/${order.id}`}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-3 hover:bg-sunken md:grid-cols-[minmax(0,1fr)_170px_110px_130px]"
      >
        <span className="min-w-0">
          <span className="block font-medium">
            {summary.verb} {summary.what}
          </span>
          {summary.marketId && <MarketName ticker={summary.marketId} />}
        </span>
        <span className="flex items-center gap-2 text-14 max-md:justify-end">
          {!order.isComplete && <Spinner />}
          <span className={order.status === 'failed' ? 'text-no' : 'text-ink-2'}>
            {statusWords(order)}
          </span>
        </span>
        <span className="nums text-14 md:text-right">
          {order.quoteAmount && parseMicros(order.quoteAmount) > 0n
            ? dollars(parseMicros(order.quoteAmount))
            : ''}
        </span>
        <span className="text-right text-13 text-ink-3">
          <Moment at={order.createdAt} />
        </span>
      </a>
    </li>
  );
}
