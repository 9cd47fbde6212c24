import type { Database, Queryable } from '#server/platform/database/client.ts';
import { findMarkets } from '../../markets/catalogue/catalogue.ts';
import type { FeedItem } from '../../orders/read/eventFeed.ts';
import { followOrders } from '../../orders/read/followOrders.ts';
import {
  anySubscription,
  NOTIFY_FOR_HOURS,
  storeNotification,
  subscriptionsOf,
} from './messages.ts';
import { orderNotification } from './texts.ts';

/**
 * Makes notifications of orders and withdrawals that ended.
 * @returns how many were stored; undefined when another process is at it
 */
export async function publishOrders(database: Database): Promise<number | undefined> {
  return await followOrders(database, {
    name: 'push',
    hasListeners: anySubscription,
    publishPage: (tx, items) => publishPage(database, tx, items),
  });
}

async function publishPage(
  database: Database,
  tx: Queryable,
  items: readonly FeedItem[],
): Promise<number> {
  const ended = items.filter(isFreshEnd);
  const browsers = await subscriptionsOf(
    tx,
    ended.map((item) => item.ownerAddress),
  );
  if (browsers.length === 0) return 0;
  const markets = await findMarkets(
    { database },
    ended.flatMap((item) => item.ticker ?? []),
  );
  let stored = 0;
  for (const item of ended) {
    const listening = browsers.filter(
      (one) => one.ownerAddress === item.ownerAddress && one.createdAt <= new Date(item.event.at),
    );
    const notification = orderNotification(item, markets.get(item.ticker ?? '')?.title);
    if (!notification) continue;
    stored += await storeNotification(tx, {
      source: `order:${item.order.id}`,
      notification,
      subscriptionIds: listening.map(({ id }) => id),
    });
  }
  return stored;
}

const ENDS = ['completed', 'failed'];

function isFreshEnd({ event, order, isUnclaimed }: FeedItem): boolean {
  const ageMs = Date.now() - Date.parse(event.at);
  return (
    ENDS.includes(event.type) &&
    order.isComplete &&
    !isUnclaimed &&
    ageMs < NOTIFY_FOR_HOURS * 3_600_000
  );
}
