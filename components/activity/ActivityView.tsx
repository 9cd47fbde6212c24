'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { CsvButton } from '#components/ui/CsvButton.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { PagedList } from '#components/ui/PagedList.tsx';
import { SignInPrompt } from '#components/wallet/SignInPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { activityQuery } from '#lib/browser/queries/activity.ts';
import { ActivityRow } from './ActivityRow.tsx';
import { type ActivityFilter, activityHref, activitySince } from './activityFilter.ts';

/** One feed of deposits, trades, payouts and withdrawals. */
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
  return (
    <PagedList
      caption="Your activity, newest first"
      columns={COLUMNS}
      query={feed}
      itemsOf={(page) => page.items}
      failedTitle="Your activity could not be loaded"
      empty={<NoActivity isFiltered={activityHref(filter, {}) !== '/activity'} />}
      moreLabel="Load more"
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
      {(item) => <ActivityRow key={item.id} item={item} />}
    </PagedList>
  );
}

const COLUMNS = [
  { label: 'Activity' },
  { label: 'Status', width: 'lg:w-[12rem] xl:w-[13.5rem]' },
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
