'use client';

import clsx from 'clsx';
import { MarketName } from '#components/order/MarketName.tsx';
import { isMishap, type OrderKind, progressWords } from '#components/order/orderView.ts';
import { TransactionLink } from '#components/order/TransactionLink.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { LIST_ROW } from '#components/ui/PagedList.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import type { ActivityItem } from '#lib/api/schemas/activity.ts';
import { contracts, dollarsSigned } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { signedMicros } from '#lib/portfolio/positionView.ts';
import { ACTIVITY_WORDS, ORDER_WORDS } from './activityFilter.ts';

/** One activity entry: the event, its market, the amount, and where to verify it. */
export function ActivityRow({ item }: { item: ActivityItem }) {
  const usdc = item.usdc === null ? undefined : signedMicros(item.usdc);
  const side = item.side === null ? '' : item.side === 'yes' ? ' Yes' : ' No';
  const what = item.contracts === null ? '' : ` ${contracts(parseMicros(item.contracts))}${side}`;
  const isDone = item.status === 'completed';
  const verb = (isDone ? undefined : ORDER_WORDS[item.kind]) ?? ACTIVITY_WORDS[item.kind];
  const words = `${verb}${what}`;
  return (
    <tr className={LIST_ROW}>
      <th scope="row" className="min-w-0 text-left font-normal">
        <span className="block font-medium text-15">
          {item.orderId ? (
            <PageLink
              href={`/orders/${item.orderId}`}
              className="tap hover:underline hover:underline-offset-4"
            >
              {words}
            </PageLink>
          ) : (
            words
          )}
        </span>
        {item.marketId && <MarketName ticker={item.marketId} />}
      </th>
      <td className="max-lg:col-start-1 max-lg:row-start-2 max-lg:self-center">
        <span
          className={clsx('flex items-center gap-2', isMishap(item) ? 'text-no' : 'text-ink-2')}
        >
          {!isDone && item.status !== 'failed' && <Spinner />}
          {progressWords({ ...item, kind: kindOf(item) })}
        </span>
      </td>
      <td
        className={clsx(
          'text-right max-lg:col-start-2 max-lg:row-start-1 max-lg:self-start',
          usdc !== undefined && usdc > 0n && 'text-yes',
        )}
      >
        {usdc === undefined ? <span className="max-lg:hidden">–</span> : dollarsSigned(usdc)}
      </td>
      <td className="text-right text-13 text-ink-3 max-lg:col-start-2 max-lg:row-start-2 max-lg:self-center">
        <LocalTime at={item.at} />
        {item.transactionHash && (
          <span className="ml-3 text-ink lg:hidden">
            <TransactionLink hash={item.transactionHash} isBrief />
          </span>
        )}
      </td>
      <td className="text-right text-13 max-lg:hidden">
        {item.transactionHash && <TransactionLink hash={item.transactionHash} />}
      </td>
    </tr>
  );
}

function kindOf({ kind }: ActivityItem): OrderKind {
  if (kind === 'redeem') return 'redemption';
  return kind === 'withdrawal' ? kind : 'trade';
}
