'use client';

import clsx from 'clsx';
import { MarketName } from '#components/order/MarketName.tsx';
import { isMishap, type OrderKind, progressWords } from '#components/order/orderView.ts';
import { TransactionLink } from '#components/order/TransactionLink.tsx';
import { Moment } from '#components/ui/Moment.tsx';
import type { ActivityItem } from '#lib/api/schemas/activity.ts';
import { contracts, dollarsSigned } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { signedMicros } from '#lib/portfolio/positionView.ts';
import { ACTIVITY_WORDS, INTENT_WORDS } from './activityFilter.ts';

/** One entry of the feed: what happened, of which market, how much moved, where to verify it. */
export function ActivityRow({ item }: { item: ActivityItem }) {
  const usdc = item.usdc === null ? undefined : signedMicros(item.usdc);
  const side = item.side === null ? '' : item.side === 'yes' ? ' Yes' : ' No';
  const what = item.contracts === null ? '' : ` ${contracts(parseMicros(item.contracts))}${side}`;
  const isDone = item.status === 'completed';
  const verb = (isDone ? undefined : INTENT_WORDS[item.kind]) ?? ACTIVITY_WORDS[item.kind];
  const words = `${verb}${what}`;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-3 md:grid-cols-[minmax(0,1fr)_7.5rem_8.125rem_9.375rem]">
      <span className="min-w-0">
        <span className="block font-medium">
          {item.orderId ? (
            <a
              href={`/orders/${item.orderId}`}
              className="hover:underline hover:underline-offset-4"
            >
              {words}
            </a>
          ) : (
            words
          )}
          {!isDone && (
            <span
              className={clsx('font-normal text-13', isMishap(item) ? 'text-no' : 'text-ink-3')}
            >
              {' · '}
              {progressWords({ ...item, kind: kindOf(item) })}
            </span>
          )}
        </span>
        {item.marketId && <MarketName ticker={item.marketId} />}
      </span>
      <span className={clsx('nums text-right', usdc !== undefined && usdc > 0n && 'text-yes')}>
        {usdc === undefined ? '' : dollarsSigned(usdc)}
      </span>
      <span className="text-13 text-ink-3 md:text-right">
        <Moment at={item.at} />
      </span>
      <span className="justify-self-end text-13">
        {item.transactionHash && <TransactionLink hash={item.transactionHash} isBrief />}
      </span>
    </li>
  );
}

function kindOf({ kind }: ActivityItem): OrderKind {
  if (kind === 'redeem') return 'redemption';
  return kind === 'withdrawal' ? kind : 'trade';
}
