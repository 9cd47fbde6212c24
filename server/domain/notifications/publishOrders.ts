import { eq, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { notificationCursor } from '#server/platform/database/schema/notifications.ts';
import { type FeedItem, latestSequence, readFeed } from '../orders/read/eventFeed.ts';
import { storeMessages, tryLock } from './outbox.ts';
import { pushOrderMessages } from './push/messages.ts';
import { hasSubscriptions } from './push/subscriptions.ts';
import { hasEnabledWebhooks } from './webhooks/manageWebhooks.ts';
import { webhookOrderMessages } from './webhooks/messages.ts';

const PAGE = 500;
const CURSOR = 'orders';

type Cursor = typeof notificationCursor.$inferSelect;

/**
 * Stores the messages for new entries of the orders' log: every step for webhooks, the end for
 * browsers. One processor does so at a time, in one transaction, so messages and position are
 * stored atomically.
 *
 * Sequence numbers are assigned before commit, so a lower number can appear after a higher one. The
 * position therefore advances to a mark only after every transaction that ran when the mark was set
 * has ended. Until then the entries behind the mark are read again, and their source identifies
 * messages that exist already.
 *
 * @returns how many deliveries were stored; undefined when another process holds the lock
 */
export async function publishOrders(database: Database): Promise<number | undefined> {
  return await database.orm.transaction(async (tx) => {
    if (!(await tryLock(tx, 'publish orders'))) return undefined;
    const cursor = await readCursor(tx);
    const oldestRunning = await oldestRunningTransaction(tx);
    const feed = { database: { orm: tx } };
    if (!((await hasEnabledWebhooks(tx)) || (await hasSubscriptions(tx)))) {
      await advanceCursor(tx, cursor, await latestSequence(feed), oldestRunning);
      return 0;
    }
    let newest = cursor.position;
    let stored = 0;
    for (;;) {
      const items = await readFeed(feed, newest, PAGE);
      stored += await publishPage(database, tx, items);
      newest = items.at(-1)?.sequence ?? newest;
      if (items.length < PAGE) break;
    }
    await advanceCursor(tx, cursor, newest, oldestRunning);
    return stored;
  });
}

async function publishPage(
  database: Database,
  tx: Queryable,
  items: readonly FeedItem[],
): Promise<number> {
  const forWebhooks = await webhookOrderMessages(tx, items);
  const forBrowsers = await pushOrderMessages(database, tx, items);
  const stored = await storeMessages(tx, 'webhook', forWebhooks);
  return stored + (await storeMessages(tx, 'push', forBrowsers));
}

async function readCursor(tx: Queryable): Promise<Cursor> {
  const [found] = await tx
    .select()
    .from(notificationCursor)
    .where(eq(notificationCursor.name, CURSOR));
  if (found) return found;
  const position = await latestSequence({ database: { orm: tx } });
  const [begun] = await tx
    .insert(notificationCursor)
    .values({ name: CURSOR, position })
    .returning();
  if (!begun) throw new Error('the position in the log was not stored');
  return begun;
}

/** Every transaction older than this id has ended and, if committed, is visible. */
async function oldestRunningTransaction(tx: Queryable): Promise<bigint> {
  const found = await tx.execute<{ id: string }>(
    sql`select pg_snapshot_xmin(pg_current_snapshot())::text as id`,
  );
  return BigInt(found.rows[0]?.id ?? '0');
}

async function advanceCursor(
  tx: Queryable,
  { mark, markTransaction, ...cursor }: Cursor,
  newest: bigint,
  oldestRunning: bigint,
): Promise<void> {
  const hasEnded = markTransaction !== null && oldestRunning >= BigInt(markTransaction);
  if (mark !== null && !hasEnded) return;
  const position = mark ?? cursor.position;
  if (mark === null && newest === position) return;
  await tx
    .update(notificationCursor)
    .set({
      position,
      // Assigned after reading the log: any lower number belongs to an earlier transaction.
      ...(newest > position
        ? { mark: newest, markTransaction: sql`pg_current_xact_id()::text` }
        : { mark: null, markTransaction: null }),
    })
    .where(eq(notificationCursor.name, cursor.name));
}
