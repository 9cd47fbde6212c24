import { and, eq, inArray, or } from 'drizzle-orm';
import {
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
  type WebhookPayload,
} from '#lib/api/schemas/webhook.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { webhooks } from '#server/platform/database/schema/webhooks.ts';
import type { FeedItem } from '../../orders/read/eventFeed.ts';
import { followOrders } from '../../orders/read/followOrders.ts';
import type { WebhookRow } from './describe.ts';
import { findPublished, storeMessage, wants } from './messages.ts';

/**
 * Makes messages for webhooks of what is new in the orders' log.
 *
 * @returns how many deliveries came of it; undefined when another process is at it
 */
export async function publishOrders(database: Database): Promise<number | undefined> {
  return await followOrders(database, { name: 'orders', hasListeners: anyWebhook, publishPage });
}

async function anyWebhook(tx: Queryable): Promise<boolean> {
  const found = await tx
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(eq(webhooks.enabled, true))
    .limit(1);
  return found.length > 0;
}

const sourceOf = (item: FeedItem) => `order_event:${item.sequence}`;

async function publishPage(tx: Queryable, items: readonly FeedItem[]): Promise<number> {
  if (items.length === 0) return 0;
  const listeners = await listenersOf(tx, items);
  if (listeners.length === 0) return 0;
  const told = await findPublished(tx, items.map(sourceOf));
  let made = 0;
  for (const item of items) {
    const payload = payloadOf(item);
    if (!payload || told.has(sourceOf(item))) continue;
    const webhookIds = listeners
      .filter((one) => mayReceive(one, item) && wants(one, payload.type))
      .map((one) => one.id);
    if (webhookIds.length === 0) continue;
    made += (await storeMessage(tx, { source: sourceOf(item), payload, webhookIds })).length;
  }
  return made;
}

/** Enabled webhooks of anybody to whom one of the orders belongs. */
async function listenersOf(tx: Queryable, items: readonly FeedItem[]): Promise<WebhookRow[]> {
  return await tx
    .select()
    .from(webhooks)
    .where(
      and(
        eq(webhooks.enabled, true),
        or(
          inArray(webhooks.apiKeyId, [...new Set(items.map((item) => item.apiKeyId))]),
          inArray(webhooks.ownerAddress, [...new Set(items.map((item) => item.ownerAddress))]),
        ),
      ),
    );
}

/** The rule by which orders are seen, from when the webhook was made. */
function mayReceive(webhook: WebhookRow, item: FeedItem): boolean {
  const isSubject =
    webhook.apiKeyId === null
      ? webhook.ownerAddress === item.ownerAddress && !item.isUnclaimed
      : webhook.apiKeyId === item.apiKeyId;
  return isSubject && webhook.createdAt <= new Date(item.event.at);
}

const KNOWN = new Set<string>(WEBHOOK_EVENT_TYPES);

type OrderEventType = Exclude<WebhookEventType, 'market.settled' | 'webhook.test'>;

function payloadOf({ event, order }: FeedItem): WebhookPayload | undefined {
  const prefix = order.action.orderType === 'Withdraw' ? 'withdrawal' : 'order';
  const type = `${prefix}.${event.type}`;
  if (!KNOWN.has(type)) return undefined;
  return { type: type as OrderEventType, timestamp: event.at, data: { event, order } };
}
