'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { CsvButton } from '#components/ui/CsvButton.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { PagedList } from '#components/ui/PagedList.tsx';
import { SignInPrompt } from '#components/wallet/SignInPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { activityQuery } from '#lib/api/queries/activity.ts';
import { ActivityRow } from './ActivityRow.tsx';
import { type ActivityFilter, activitySince } from './activityFilter.ts';

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
      ...(from !== undefined && { from }),
    }),
  );
  return (
    <PagedList
      query={feed}
      itemsOf={(page) => page.items}
      failedTitle="Your activity did not load"
      empty={<NoActivity isFiltered={filter.kind !== 'any' || filter.days !== 'all'} />}
      moreLabel="Earlier"
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

function NoActivity({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        title="No activity like that"
        link={{ href: '/activity', label: 'Show all activity' }}
      />
    );
  }
  return (
    <EmptyState
      title="No activity yet"
      link={{ href: '/', label: 'Find a market', tone: 'primary' }}
    >
      Deposits, trades, payouts and withdrawals will be listed here.
    </EmptyState>
  );
}
