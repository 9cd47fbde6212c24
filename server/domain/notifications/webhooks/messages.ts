import { randomBytes } from 'node:crypto';
import { and, eq, or } from 'drizzle-orm';
import type { Market } from '#lib/api/schemas/market.ts';
import {
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
  type WebhookPayload,
} from '#lib/api/schemas/webhook.ts';
import { filterTraded } from '#server/domain/orders/read/completedTrades.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { webhooks } from '#server/platform/database/schema/notifications.ts';
import { getMarket } from '../../markets/catalogue/catalogue.ts';
import type { FinalResult } from '../../markets/catalogue/finalResults.ts';
import type { MarketRecord } from '../../markets/catalogue/types.ts';
import type { FeedItem } from '../../orders/read/eventFeed.ts';
import type { NewMessage } from '../outbox.ts';
import { describePriceAlert, type PriceAlertRow } from '../priceAlerts/priceAlerts.ts';
import type { WebhookRow } from './describe.ts';

/** The messages that webhooks receive. */

function messageOf(
  payload: WebhookPayload,
  rest: Pick<NewMessage, 'source' | 'topic' | 'targetIds'>,
): NewMessage {
  return { ...rest, type: payload.type, payload };
}

export function webhookTestMessage(webhookId: string): NewMessage {
  const source = `test:${randomBytes(12).toString('base64url')}`;
  const timestamp = new Date().toISOString();
  return messageOf(
    { type: 'webhook.test', timestamp, data: { webhookId } },
    { source, topic: source, targetIds: [webhookId] },
  );
}

/** A message for each entry of the orders' log, to the enabled webhooks that want it. */
export async function webhookOrderMessages(
  tx: Queryable,
  items: readonly FeedItem[],
): Promise<NewMessage[]> {
  if (items.length === 0) return [];
  const candidates = await webhooksOf(tx, items);
  if (candidates.length === 0) return [];
  return items.flatMap((item) => {
    const payload = orderPayload(item);
    if (!payload) return [];
    const targetIds = candidates
      .filter((webhook) => maySee(webhook, item) && wants(webhook, payload.type))
      .map(({ id }) => id);
    const source = `order_event:${item.sequence}`;
    return messageOf(payload, { source, topic: `order:${item.order.id}`, targetIds });
  });
}

/** The message of a fired alert, to webhooks of its wallet and of the key it was set with. */
export async function webhookAlertMessage(
  tx: Queryable,
  alert: PriceAlertRow,
): Promise<NewMessage> {
  const priceAlert = describePriceAlert(alert);
  const type = 'price_alert.triggered';
  const timestamp = priceAlert.triggeredAt ?? new Date().toISOString();
  const candidates = await webhooksOf(tx, [alert]);
  return messageOf(
    { type, timestamp, data: { priceAlert } },
    {
      source: `price_alert:${alert.id}`,
      topic: `price_alert:${alert.id}`,
      targetIds: candidates.filter((one) => wants(one, type)).map(({ id }) => id),
    },
  );
}

type Belonging = Pick<FeedItem, 'apiKeyId' | 'ownerAddress'>;

/** Enabled webhooks of these keys and wallets. */
async function webhooksOf(tx: Queryable, items: readonly Belonging[]): Promise<WebhookRow[]> {
  const keyIds = new Set(items.map((item) => item.apiKeyId));
  const owners = new Set(items.map((item) => item.ownerAddress));
  return await tx
    .select()
    .from(webhooks)
    .where(
      and(
        eq(webhooks.enabled, true),
        or(isOneOf(webhooks.apiKeyId, [...keyIds]), isOneOf(webhooks.ownerAddress, [...owners])),
      ),
    );
}

/** Whether the subject may see the order, and the webhook existed at the time of the event. */
function maySee(webhook: WebhookRow, item: FeedItem): boolean {
  const isSubject =
    webhook.apiKeyId === null
      ? webhook.ownerAddress === item.ownerAddress && !item.isUnclaimed
      : webhook.apiKeyId === item.apiKeyId;
  return isSubject && webhook.createdAt <= new Date(item.event.at);
}

/** Whether a webhook wants this type; without a selection it wants all. */
function wants(webhook: WebhookRow, type: WebhookEventType): boolean {
  return webhook.eventTypes.length === 0 || webhook.eventTypes.includes(type);
}

const KNOWN = new Set<string>(WEBHOOK_EVENT_TYPES);

type OrderEventType = Exclude<
  WebhookEventType,
  'market.settled' | 'price_alert.triggered' | 'webhook.test'
>;

function orderPayload({ event, order }: FeedItem): WebhookPayload | undefined {
  const prefix = order.action.orderType === 'Withdraw' ? 'withdrawal' : 'order';
  const type = `${prefix}.${event.type}`;
  if (!KNOWN.has(type)) return undefined;
  return { type: type as OrderEventType, timestamp: event.at, data: { event, order } };
}

/** A message for each market that pays out now, to webhooks whose subject has traded in it. */
export async function webhookSettlementMessages(
  deps: { database: Database; describeMarket: (market: MarketRecord) => Market },
  settled: readonly FinalResult[],
): Promise<NewMessage[]> {
  const { database, describeMarket } = deps;
  const messages: NewMessage[] = [];
  for (const [ticker, targetIds] of await webhooksOfTraders(database.orm, settled)) {
    const market = describeMarket(await getMarket({ database }, ticker));
    const timestamp = market.settlement?.settledAt ?? new Date().toISOString();
    messages.push(
      messageOf(
        { type: 'market.settled', timestamp, data: { market } },
        { source: `market_settled:${ticker}`, topic: `market:${ticker}`, targetIds },
      ),
    );
  }
  return messages;
}

/** By market, the webhooks of those who traded in it. */
async function webhooksOfTraders(
  db: Queryable,
  settled: readonly FinalResult[],
): Promise<Map<string, string[]>> {
  const enabled = await db.select().from(webhooks).where(eq(webhooks.enabled, true));
  const tickers = settled.map((market) => market.ticker);
  const found = new Map<string, string[]>();
  for (const webhook of enabled.filter((one) => wants(one, 'market.settled'))) {
    const { apiKeyId, ownerAddress } = webhook;
    const trader = apiKeyId === null ? { ownerAddress: ownerAddress ?? '' } : { apiKeyId };
    for (const ticker of await filterTraded(db, trader, tickers)) {
      found.set(ticker, [...(found.get(ticker) ?? []), webhook.id]);
    }
  }
  return found;
}
