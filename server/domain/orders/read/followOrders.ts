import { eq, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { webhookCursor } from '#server/platform/database/schema/orders.ts';
import { type FeedItem, latestSequence, readFeed } from './eventFeed.ts';

const PAGE = 500;

type Cursor = typeof webhookCursor.$inferSelect;

/** Publishes the orders' log from its own position in it. */
export type Follower = {
  name: string;
  /** Whether the entries have a recipient; otherwise they are skipped. */
  hasListeners(tx: Queryable): Promise<boolean>;
  /** Entries may repeat; the follower must not publish one twice. */
  publishPage(tx: Queryable, items: readonly FeedItem[]): Promise<number>;
};

/**
 * Passes new entries of the orders' log to a follower. One processor does so at a time. Each step
 * is one transaction, so message and position are stored atomically and a crash changes neither.
 *
 * Sequence numbers are assigned before commit, so a lower number can appear after a higher one. The
 * position therefore advances to a mark only after every transaction that ran when the mark was set
 * has ended. Until then the entries behind the mark are read again, and the follower deduplicates
 * them.
 *
 * @returns how many deliveries resulted; undefined when another process holds the lock
 */
export async function followOrders(
  database: Database,
  follower: Follower,
): Promise<number | undefined> {
  const { name } = follower;
  return await database.orm.transaction(async (tx) => {
    const lock = await tx.execute<{ held: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended(${`webhooks tell ${name}`}, 0)) as held`,
    );
    if (lock.rows[0]?.held !== true) return undefined;
    const cursor = await readCursor(tx, name);
    const oldestRunning = await oldestRunningTransaction(tx);
    if (!(await follower.hasListeners(tx))) {
      await advanceCursor(
        tx,
        cursor,
        await latestSequence({ database: { orm: tx } }),
        oldestRunning,
      );
      return 0;
    }
    let newest = cursor.position;
    let made = 0;
    for (;;) {
      const items = await readFeed({ database: { orm: tx } }, newest, PAGE);
      made += await follower.publishPage(tx, items);
      newest = items.at(-1)?.sequence ?? newest;
      if (items.length < PAGE) break;
    }
    await advanceCursor(tx, cursor, newest, oldestRunning);
    return made;
  });
}

async function readCursor(tx: Queryable, name: string): Promise<Cursor> {
  const [found] = await tx.select().from(webhookCursor).where(eq(webhookCursor.name, name));
  if (found) return found;
  const position = await latestSequence({ database: { orm: tx } });
  const [begun] = await tx.insert(webhookCursor).values({ name, position }).returning();
  if (!begun) throw new Error('the place in the log was not stored');
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
  cursor: Cursor,
  newest: bigint,
  oldestRunning: bigint,
): Promise<void> {
  const { name, mark, markTransaction } = cursor;
  const isOver = markTransaction !== null && oldestRunning >= BigInt(markTransaction);
  if (mark !== null && !isOver) return;
  const position = mark ?? cursor.position;
  if (mark === null && newest === position) return;
  await tx
    .update(webhookCursor)
    .set({
      position,
      // Assigned after reading the log: any lower number belongs to an earlier transaction.
      ...(newest > position
        ? { mark: newest, markTransaction: sql`pg_current_xact_id()::text` }
        : { mark: null, markTransaction: null }),
    })
    .where(eq(webhookCursor.name, name));
}
