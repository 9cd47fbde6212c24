import type { Chain } from '#server/chain/client.ts';
import { listTraders } from '#server/domain/orders/read/completedTrades.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { findMarkets } from '../../markets/catalogue/catalogue.ts';
import type { FinalResult } from '../../markets/catalogue/finalResults.ts';
import type { FeedItem } from '../../orders/read/eventFeed.ts';
import { getPortfolio } from '../../portfolio/portfolio.ts';
import { type NewMessage, PUSH_EXPIRES_AFTER_HOURS } from '../outbox.ts';
import type { PriceAlertRow } from '../priceAlerts/priceAlerts.ts';
import { listSubscriptions, type SubscriptionRow } from './subscriptions.ts';
import {
  alertNotification,
  type NamedMarket,
  orderNotification,
  type PushNotification,
  settledNotification,
} from './texts.ts';

/** The notifications that browsers receive. */

function messageOf(
  source: string,
  notification: PushNotification,
  browsers: readonly SubscriptionRow[],
): NewMessage {
  return {
    source,
    type: 'notification',
    topic: notification.tag,
    payload: notification,
    targetIds: browsers.map(({ id }) => id),
  };
}

/** A notification for each order or withdrawal that ended. */
export async function pushOrderMessages(
  database: Database,
  tx: Queryable,
  items: readonly FeedItem[],
): Promise<NewMessage[]> {
  const ended = items.filter(isRecentEnd);
  const browsers = await listSubscriptions(
    tx,
    ended.map((item) => item.ownerAddress),
  );
  if (browsers.length === 0) return [];
  const markets = await findMarkets(
    { database },
    ended.flatMap((item) => item.ticker ?? []),
  );
  return ended.flatMap((item) => {
    const notification = orderNotification(item, markets.get(item.ticker ?? ''));
    const endedAt = new Date(item.event.at);
    const own = browsers.filter(
      (one) => one.ownerAddress === item.ownerAddress && one.createdAt <= endedAt,
    );
    return notification ? messageOf(`order:${item.order.id}`, notification, own) : [];
  });
}

const ENDS = ['completed', 'failed'];

function isRecentEnd({ event, order, isUnclaimed }: FeedItem): boolean {
  const ageMs = Date.now() - Date.parse(event.at);
  return (
    ENDS.includes(event.type) &&
    order.isComplete &&
    !isUnclaimed &&
    ageMs < PUSH_EXPIRES_AFTER_HOURS * 3_600_000
  );
}

/** The notification of a fired alert, to its owner's browsers. */
export async function pushAlertMessage(
  tx: Queryable,
  alert: PriceAlertRow,
  market: NamedMarket | undefined,
): Promise<NewMessage> {
  const browsers = await listSubscriptions(tx, [alert.ownerAddress]);
  return messageOf(`price_alert:${alert.id}`, alertNotification(alert, market), browsers);
}

type SettlementDeps = { database: Database; chain: Chain; exchange: string };

/** A notification for each holding of a trader in a market that pays out now. */
export async function pushSettlementMessages(
  deps: SettlementDeps,
  settled: readonly FinalResult[],
): Promise<NewMessage[]> {
  const { orm } = deps.database;
  const traders = await listTraders(
    orm,
    settled.map(({ ticker }) => ticker),
  );
  const browsers = await listSubscriptions(orm, [...traders.keys()]);
  const messages: NewMessage[] = [];
  for (const [owner, own] of Map.groupBy(browsers, (browser) => browser.ownerAddress)) {
    const traded = settled.filter(({ ticker }) => traders.get(owner)?.has(ticker));
    messages.push(...(await holdingMessages(deps, { owner, browsers: own, settled: traded })));
  }
  return messages;
}

async function holdingMessages(
  deps: SettlementDeps,
  input: { owner: string; browsers: readonly SubscriptionRow[]; settled: readonly FinalResult[] },
): Promise<NewMessage[]> {
  const { owner, browsers, settled } = input;
  const seenAt = new Map(settled.map((one) => [one.ticker, one.seenAt]));
  const portfolio = await getPortfolio(deps, { address: owner, chainId: deps.chain.id });
  return portfolio.flatMap((entry) => {
    const at = seenAt.get(entry.venueMarket.marketId);
    const notification = at && settledNotification(entry);
    if (!notification) return [];
    const own = browsers.filter((browser) => browser.createdAt <= at);
    return messageOf(`${notification.tag}:${owner}`, notification, own);
  });
}
