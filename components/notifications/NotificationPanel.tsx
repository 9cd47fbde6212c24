import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  BellRing,
  CircleAlert,
  CircleCheck,
  CircleX,
  Clock,
  type LucideIcon,
  Trophy,
  Undo2,
} from 'lucide-react';
import dynamic from 'next/dynamic';
import { usePriceAlerts } from '#components/alerts/usePriceAlerts.ts';
import { useApp } from '#components/app/useApp.ts';
import { MarketName, MarketWords } from '#components/order/MarketName.tsx';
import { Button } from '#components/ui/Button.tsx';
import { useNow } from '#components/ui/clock.ts';
import { Until } from '#components/ui/Durations.tsx';
import { SwitchField } from '#components/ui/Field.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { loadOptionalPart } from '#components/ui/loadPart.ts';
import { PageLink } from '#components/ui/PageLink.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import type { Market } from '#lib/api/schemas/market.ts';
import { pollEvery } from '#lib/browser/live/liveStatus.ts';
import { useWatchlist } from '#lib/browser/market/watchlist.ts';
import { portfolioQuery } from '#lib/browser/queries/account.ts';
import { activityQuery } from '#lib/browser/queries/activity.ts';
import { marketListQuery } from '#lib/browser/queries/markets.ts';
import { orderListQuery } from '#lib/browser/queries/orders.ts';
import { chooseOrderSound, useOrderSound } from '#lib/browser/sound/orderSound.ts';
import {
  accountNotifications,
  type NotificationItem,
  type NotificationKind,
} from '#lib/notifications/accountNotifications.ts';

const PushSwitch = dynamic(
  () => loadOptionalPart(() => import('#components/push/PushSwitch.tsx').then((m) => m.PushSwitch)),
  { ssr: false },
);

const AlertSettings = dynamic(
  () =>
    loadOptionalPart(() =>
      import('#components/alerts/AlertSettings.tsx').then((m) => m.AlertSettings),
    ),
  { ssr: false },
);

type NotificationPanelProps = { notifications: Notifications; marked: readonly string[] };

/** The notifications, newest first; each links to its subject. */
export function NotificationPanel({ notifications, marked }: NotificationPanelProps) {
  const { items, isError, retry } = notifications;
  return (
    <>
      <div className="sticky top-0 flex items-center justify-between gap-4 border-b bg-surface px-4 py-2">
        <h2 className="font-semibold text-15">Notifications</h2>
        <PageLink
          href="/activity"
          className="flex h-9 items-center text-13 text-ink-2 hover:text-ink hover:underline hover:underline-offset-4 max-md:h-11"
        >
          All activity
        </PageLink>
      </div>
      {items === undefined && !isError && (
        <div className="skeleton m-4 h-32" role="status" aria-label="Loading" />
      )}
      {items === undefined && isError && (
        <div className="grid justify-items-start gap-3 p-4 text-14">
          <p>Your notifications could not be loaded. Your orders and funds are not affected.</p>
          <Button size="s" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
      {items?.length === 0 && (
        <div className="grid gap-1 px-4 py-10 text-center">
          <p className="font-medium">No notifications yet</p>
          <p className="text-14 text-ink-2">
            Updates about your orders, payouts, deposits, watchlist and price alerts appear here.
          </p>
        </div>
      )}
      {items && items.length > 0 && (
        <ul className="divide-y">
          {items.map((item) => (
            <Line key={item.id} item={item} isNew={marked.includes(item.id)} />
          ))}
        </ul>
      )}
      <div className="sticky bottom-0 border-t bg-surface py-1">
        <SoundSwitch />
        <PushSwitch owner={notifications.owner} />
        <AlertSettings alerts={notifications.alerts} />
      </div>
    </>
  );
}

const MARKS: Record<NotificationKind, { icon: LucideIcon; tone: string }> = {
  filled: { icon: CircleCheck, tone: 'text-ink-2' },
  failed: { icon: CircleAlert, tone: 'text-caution' },
  returned: { icon: Undo2, tone: 'text-caution' },
  won: { icon: Trophy, tone: 'text-yes' },
  lost: { icon: CircleX, tone: 'text-ink-3' },
  redeemed: { icon: CircleCheck, tone: 'text-ink-2' },
  arrived: { icon: ArrowDownToLine, tone: 'text-ink-2' },
  left: { icon: ArrowUpFromLine, tone: 'text-ink-2' },
  closing: { icon: Clock, tone: 'text-ink-2' },
  alert: { icon: BellRing, tone: 'text-ink-2' },
};

function Line({ item, isNew }: { item: NotificationItem; isNew: boolean }) {
  const { icon: Icon, tone } = MARKS[item.kind];
  return (
    <li>
      <PageLink
        href={item.href}
        className={clsx(
          'grid grid-cols-[20px_minmax(0,1fr)] gap-x-3 px-4 py-3 text-14 hover:bg-sunken',
          isNew && 'shadow-[inset_3px_0_0_var(--accent)]',
        )}
      >
        <Icon aria-hidden className={clsx('mt-0.5 size-[18px]', tone)} strokeWidth={1.75} />
        <span className="min-w-0">
          {isNew && <span className="sr-only">New: </span>}
          <span className={isNew ? 'font-semibold' : 'font-medium'}>{item.title}</span>
          {item.detail && <span className="text-ink-2"> {item.detail}</span>}
          {item.market && <MarketLine {...item.market} />}
          <span className="block text-13 text-ink-3">
            <When item={item} />
          </span>
        </span>
      </PageLink>
    </li>
  );
}

function MarketLine({ ticker, name }: NonNullable<NotificationItem['market']>) {
  return name === undefined ? <MarketName ticker={ticker} /> : <MarketWords {...name} />;
}

function When({ item }: { item: NotificationItem }) {
  const now = useNow() ?? 0;
  if (item.closesAt === undefined) return <LocalTime at={item.at} />;
  return (
    <>
      in <Until at={item.closesAt} renderedAtMs={now} />
    </>
  );
}

function SoundSwitch() {
  return (
    <div className="px-4">
      <SwitchField isOn={useOrderSound()} onChange={chooseOrderSound}>
        Play a sound when an order completes or fails
      </SwitchField>
    </div>
  );
}

const MINUTE_MS = 60_000;
/** The close of a market is known long before. */
const WATCHED_EVERY_MS = 5 * MINUTE_MS;
/** The stream does not report results. */
const PORTFOLIO_EVERY_MS = 15_000;
/** The maximum number of events per request of the market list. */
const EVENTS_A_CALL = 10;
const MARKETS_A_CALL = 1_000;

type Notifications = ReturnType<typeof useNotifications>;

/** Notifications of the signed-in account, from data that the page loads anyway. */
export function useNotifications() {
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
  const { alerts, isError: isUnknown } = usePriceAlerts();
  const nowMs = useNow(MINUTE_MS) ?? 0;
  const isKnown =
    activity.data && orders.data && portfolio.data && watched && (alerts || isUnknown) && nowMs > 0;
  return {
    owner,
    alerts: alerts ?? [],
    /** Undefined until all inputs are known. */
    items: isKnown
      ? accountNotifications({
          activity: activity.data.pages.flatMap((page) => page.items),
          orders: orders.data.orders,
          portfolio: portfolio.data,
          watched,
          // The other notifications are useful without them.
          alerts: alerts ?? [],
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
