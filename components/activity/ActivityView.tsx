'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { Button, buttonStyle } from '#components/ui/Button.tsx';
import { CsvButton } from '#components/ui/CsvButton.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { ConnectPrompt } from '#components/wallet/ConnectPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { activityQuery } from '#lib/api/queries/activity.ts';
import { ActivityRow } from './ActivityRow.tsx';
import { type ActivityFilter, activitySince } from './activityFilter.ts';

/** One feed of deposits, trades, payouts and withdrawals. */
export function ActivityView({ filter }: { filter: ActivityFilter }) {
  return (
    <ConnectPrompt what="your activity" signedIn>
      <Feed filter={filter} />
    </ConnectPrompt>
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
  if (feed.isPending) return <div className="skeleton h-64" role="status" aria-label="Loading" />;
  if (feed.isError && !feed.data) {
    return (
      <EmptyState
        title="Your activity did not load"
        action={<Button onClick={() => void feed.refetch()}>Try again</Button>}
      >
        {feed.error.message}
      </EmptyState>
    );
  }
  const items = feed.data.pages.flatMap((page) => page.items);
  if (items.length === 0) {
    return (
      <EmptyState
        title="Nothing to show"
        action={
          <a href="/" className={buttonStyle('primary')}>
            Find a market
          </a>
        }
      >
        Deposits, trades, payouts and withdrawals will be listed here.
      </EmptyState>
    );
  }
  return (
    <div className="grid gap-4">
      <ul className="sheet divide-y">
        {items.map((item) => (
          <ActivityRow key={item.id} item={item} />
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <CsvButton
          name="activity"
          query={{
            ...(wallet.address && { userAddress: wallet.address }),
            ...(from !== undefined && { from }),
          }}
        />
        {feed.hasNextPage && (
          <Button disabled={feed.isFetchingNextPage} onClick={() => void feed.fetchNextPage()}>
            {feed.isFetchingNextPage && <Spinner />}
            Earlier
          </Button>
        )}
      </div>
    </div>
  );
}
