import { and, eq, inArray, or, sql } from 'drizzle-orm';
import {
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
  type WebhookPayload,
} from '#lib/api/schemas/webhook.ts';
import type { Database, Queryable } from '../db/client.ts';
import { webhookCursor, webhooks } from '../db/schema/webhooks.ts';
import { type FeedItem, latestSequence, readFeed } from '../orders/eventFeed.ts';
import type { WebhookRow } from './describe.ts';
import { findTold, storeMessage, wants } from './messages.ts';

const NAME = 'orders';
const PAGE = 500;

type Cursor = typeof webhookCursor.$inferSelect;

/**
 * Makes messages of what is new in the orders' log. One processor does it at a time; each step is
 * one transaction, so a message and the place in the log come about together, and a process that
 * dies in between leaves both as they were.
 *
 * Numbers in the log are given before they are committed, so a lower one can appear after a higher
 * one. The place therefore moves up to a mark only after everything that ran when the mark was set
 * is over; until then the entries behind it are read again, and their source keeps each from
 * making a second message.
 *
 * @returns how many deliveries came of it; undefined when another process is at it
 */
export async function tellOrders(database: Database): Promise<number | undefined> {
  return await database.orm.transaction(async (tx) => {
    const lock = await tx.execute<{ held: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended('webhooks tell orders', 0)) as held`,
    );
    if (lock.rows[0]?.held !== true) return undefined;
    const cursor = await readCursor(tx);
    const oldestRunning = await oldestRunningTransaction(tx);
    if (!(await anyWebhook(tx))) {
      await moveCursor(tx, cursor, await latestSequence({ database: { orm: tx } }), oldestRunning);
      return 0;
    }
    let newest = cursor.position;
    let made = 0;
    for (;;) {
      const items = await readFeed({ database: { orm: tx } }, newest, PAGE);
      made += await tellPage(tx, items);
      newest = items.at(-1)?.sequence ?? newest;
      if (items.length < PAGE) break;
    }
    await moveCursor(tx, cursor, newest, oldestRunning);
    return made;
  });
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

async function tellPage(tx: Queryable, items: readonly FeedItem[]): Promise<number> {
  if (items.length === 0) return 0;
  const listeners = await listenersOf(tx, items);
  if (listeners.length === 0) return 0;
  const told = await findTold(tx, items.map(sourceOf));
  let made = 0;
  for (const item of items) {
    const payload = payloadOf(item);
    if (!payload || told.has(sourceOf(item))) continue;
    const webhookIds = listeners
      .filter((one) => mayHear(one, item) && wants(one, payload.type))
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
function mayHear(webhook: WebhookRow, item: FeedItem): boolean {
  const isSubject =
    webhook.apiKeyId === null
      ? webhook.ownerAddress === item.ownerAddress
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

async function readCursor(tx: Queryable): Promise<Cursor> {
  const [found] = await tx.select().from(webhookCursor).where(eq(webhookCursor.name, NAME));
  if (found) return found;
  const position = await latestSequence({ database: { orm: tx } });
  const [begun] = await tx.insert(webhookCursor).values({ name: NAME, position }).returning();
  if (!begun) throw new Error('the place in the log was not stored');
  return begun;
}

/** Everything older than this transaction id is over and, if it was committed, visible. */
async function oldestRunningTransaction(tx: Queryable): Promise<bigint> {
  const found = await tx.execute<{ id: string }>(
    sql`select pg_snapshot_xmin(pg_current_snapshot())::text as id`,
  );
  return BigInt(found.rows[0]?.id ?? '0');
}

async function moveCursor(
  tx: Queryable,
  cursor: Cursor,
  newest: bigint,
  oldestRunning: bigint,
): Promise<void> {
  const { mark, markTransaction } = cursor;
  const isOver = markTransaction !== null && oldestRunning >= BigInt(markTransaction);
  if (mark !== null && !isOver) return;
  const position = mark ?? cursor.position;
  if (mark === null && newest === position) return;
  await tx
    .update(webhookCursor)
    .set({
      position,
      // Numbered only now, after the log was read: whoever has a lower number began before it.
      ...(newest > position
        ? { mark: newest, markTransaction: sql`pg_current_xact_id()::text` }
        : { mark: null, markTransaction: null }),
    })
    .where(eq(webhookCursor.name, NAME));
}
