'use client';

import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { useNow } from '#components/ui/clock.ts';
import { useVisitor } from '#components/wallet/useSetup.ts';
import type { Market } from '#lib/api/schemas/market.ts';
import { pollEvery } from '#lib/browser/live/liveStatus.ts';
import { useWatchlist } from '#lib/browser/market/watchlist.ts';
import { portfolioQuery } from '#lib/browser/queries/account.ts';
import { activityQuery } from '#lib/browser/queries/activity.ts';
import { marketListQuery } from '#lib/browser/queries/markets.ts';
import { orderListQuery } from '#lib/browser/queries/orders.ts';
import {
  accountNotifications,
  type NotificationItem,
} from '#lib/notifications/accountNotifications.ts';

const MINUTE_MS = 60_000;
/** The close of a market is known long before. */
const WATCHED_EVERY_MS = 5 * MINUTE_MS;
/** The stream does not report results. */
const PORTFOLIO_EVERY_MS = 15_000;
/** The maximum number of events per request of the market list. */
const EVENTS_A_CALL = 10;
const MARKETS_A_CALL = 1_000;

export type Notifications = {
  owner: string;
  /** Undefined until all inputs are known. */
  items: NotificationItem[] | undefined;
  isError: boolean;
  retry: () => void;
};

/** Notifications of the signed-in account, from data that the page loads anyway. */
export function useNotifications(): Notifications {
  const { api } = useApp();
  const { wallet, session, account } = useVisitor();
  const owner = wallet.address ?? '';
  const enabled = session !== undefined;
  const activity = useInfiniteQuery({
    ...activityQuery(api, { address: owner }),
    enabled,
    // The stream reports transfers.
    refetchInterval: () => pollEvery(10_000, 2 * MINUTE_MS),
  });
  const orders = useQuery({
    ...orderListQuery(api, { userAddress: owner, type: 'all' }),
    enabled,
  });
  const portfolio = useQuery({
    ...portfolioQuery(api, account?.smartAccountAddress ?? ''),
    enabled: enabled && account !== undefined,
    refetchInterval: PORTFOLIO_EVERY_MS,
  });
  const watched = useWatchedMarkets(enabled);
  const nowMs = useNow(MINUTE_MS) ?? 0;
  const isKnown = activity.data && orders.data && portfolio.data && watched && nowMs > 0;
  return {
    owner,
    items: isKnown
      ? accountNotifications({
          activity: activity.data.pages.flatMap((page) => page.items),
          orders: orders.data.orders,
          portfolio: portfolio.data,
          watched,
          nowMs,
        })
      : undefined,
    isError: [activity, orders, portfolio].some((query) => query.isError && !query.data),
    retry: () => {
      for (const query of [activity, orders, portfolio]) if (!query.data) void query.refetch();
    },
  };
}

/** Open markets of the watched events; undefined until they are known. */
function useWatchedMarkets(enabled: boolean): Market[] | undefined {
  const { api } = useApp();
  const events = useWatchlist();
  const groups = Array.from({ length: Math.ceil(events.length / EVENTS_A_CALL) }, (_, index) =>
    events.slice(index * EVENTS_A_CALL, (index + 1) * EVENTS_A_CALL),
  );
  const lists = useQueries({
    queries: groups.map((eventTickers) => ({
      ...marketListQuery(api, { eventTickers, status: 'open', limit: MARKETS_A_CALL }),
      enabled,
      staleTime: MINUTE_MS,
      refetchInterval: WATCHED_EVERY_MS,
    })),
  });
  // The other notifications are useful without them.
  if (lists.some((list) => list.isPending && !list.isError)) return undefined;
  return lists.flatMap((list) => list.data?.markets ?? []);
}
