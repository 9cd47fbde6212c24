'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { MarketName, useNamesKnown } from '#components/order/MarketName.tsx';
import { activityKind, isMishap, parkedWords, progressWords } from '#components/order/orderView.ts';
import { TransactionLink } from '#components/order/TransactionLink.tsx';
import { useMarketDistinctions } from '#components/order/useDistinctions.ts';
import { ValueNow } from '#components/order/ValueNow.tsx';
import { CsvButton } from '#components/ui/CsvButton.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { LIST_ROW, PagedList } from '#components/ui/PagedList.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { SignInPrompt } from '#components/wallet/SignInPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import type { ActivityItem } from '#lib/api/schemas/activity.ts';
import { activityQuery } from '#lib/browser/queries/activity.ts';
import { pairsOfBoth } from '#lib/format/contractsOf.ts';
import { contractsRounded, dollarsSigned } from '#lib/format/money.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import { parseMicros } from '#lib/money.ts';
import { signedMicros } from '#lib/portfolio/positionView.ts';
import {
  type ActivityFilter,
  activityHref,
  activitySince,
  activityVerb,
} from './activityFilter.ts';

export function ActivityView({ filter }: { filter: ActivityFilter }) {
  return (
    <SignInPrompt what="your activity">
      <Feed filter={filter} />
    </SignInPrompt>
  );
}

function Feed({ filter }: { filter: ActivityFilter }) {
  const { api } = useApp();
  const { wallet } = useVisitor();
  const [openedAtMs] = useState(() => Date.now());
  const from = activitySince(filter.days, openedAtMs);
  const feed = useInfiniteQuery(
    activityQuery(api, {
      address: wallet.address ?? '',
      ...(filter.kind !== 'any' && { type: filter.kind }),
      ...(filter.status !== 'any' && { status: filter.status }),
      ...(from !== undefined && { from }),
    }),
  );
  const listed = feed.data?.pages.flatMap((page) => page.items) ?? [];
  const distinctions = useMarketDistinctions(listed.map((item) => item.marketId));
  const isReady = useNamesKnown(
    feed.data?.pages[0]?.items.flatMap(({ marketId }) => marketId ?? []),
  );
  return (
    <PagedList
      caption="Your activity, newest first"
      isReady={isReady}
      columns={COLUMNS}
      query={feed}
      itemsOf={(page) => page.items}
      failedTitle="Your activity could not be loaded"
      empty={<NoActivity isFiltered={activityHref(filter, {}) !== '/activity'} />}
      footer={
        <CsvButton
          name="activity"
          query={{
            ...(wallet.address && { userAddress: wallet.address }),
            ...(from !== undefined && { from }),
          }}
        />
      }
    >
      {(item) => (
        <ActivityRow
          key={item.id}
          item={item}
          distinction={distinctions.get(item.marketId ?? '')}
        />
      )}
    </PagedList>
  );
}

const COLUMNS = [
  { label: 'Activity' },
  { label: 'Status', width: 'lg:w-[13rem] xl:w-[16rem]' },
  { label: 'USDC', width: 'lg:w-[8.5rem]', isFigure: true },
  { label: 'Time', width: 'lg:w-[9rem]', isFigure: true },
  { label: 'Transaction', width: 'lg:w-[13rem]', isFigure: true },
] as const;

function NoActivity({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        title="No matching activity"
        link={{ href: '/activity', label: 'Show all activity' }}
      />
    );
  }
  return (
    <EmptyState
      title="No activity yet"
      link={{ href: '/', label: 'Find a market', tone: 'primary' }}
    >
      Your deposits, trades, payouts and withdrawals appear here.
    </EmptyState>
  );
}

type ActivityRowProps = { item: ActivityItem; distinction: string | undefined };

function ActivityRow({ item, distinction }: ActivityRowProps) {
  const usdc = item.usdc === null ? undefined : signedMicros(item.usdc);
  const quantity = item.contracts === null ? undefined : parseMicros(item.contracts);
  const what = quantity === undefined ? '' : ` ${quantityWords(item, quantity)}`;
  const isEnded = item.status === 'completed' || item.status === 'failed';
  const parked = parkedWords(item);
  const words = `${activityVerb(item)}${what}`;
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
        {item.marketId && <MarketName ticker={item.marketId} distinction={distinction} />}
      </th>
      <td className="max-lg:col-start-1 max-lg:row-start-2 max-lg:self-center">
        <span
          className={clsx('flex items-center gap-2', isMishap(item) ? 'text-no' : 'text-ink-2')}
        >
          {!isEnded && parked === undefined && <Spinner />}
          {parked ?? progressWords({ ...item, kind: activityKind(item) })}
        </span>
      </td>
      <td
        className={clsx(
          'text-right max-lg:col-start-2 max-lg:row-start-1 max-lg:self-start',
          usdc !== undefined && usdc > 0n && 'text-yes',
        )}
      >
        {usdc === undefined ? <MovedValue item={item} /> : dollarsSigned(usdc)}
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

/** "4 Yes", "4 pairs". */
function quantityWords({ kind, side }: ActivityItem, contractMicros: bigint): string {
  if (kind === 'merge') return pairsOfBoth(contractMicros);
  const count = contractsRounded(contractMicros);
  return side === null ? count : `${count} ${sideWord(side)}`;
}

/** Contracts that moved without USDC: what they are worth now. */
function MovedValue({ item: { kind, marketId, side, contracts } }: { item: ActivityItem }) {
  const isTrade = kind === 'buy' || kind === 'sell' || kind === 'redeem';
  if (isTrade || marketId === null || side === null || contracts === null) {
    return <span className="max-lg:hidden">–</span>;
  }
  return (
    <>
      <ValueNow marketId={marketId} side={side} contractMicros={parseMicros(contracts)} />
      <span className="block text-13 text-ink-3">value now</span>
    </>
  );
}
