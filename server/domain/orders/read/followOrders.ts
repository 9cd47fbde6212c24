import { eq, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { webhookCursor } from '#server/platform/database/schema/orders.ts';
import { type FeedItem, latestSequence, readFeed } from './eventFeed.ts';

const PAGE = 500;

type Cursor = typeof webhookCursor.$inferSelect;

/** Somebody who tells others what the orders' log says, from a place in it of their own. */
export type Follower = {
  name: string;
  /** Whether anybody would hear it; what nobody hears is passed over. */
  hasListeners(tx: Queryable): Promise<boolean>;
  /** Entries may come again: what was made of one is not to be made twice. */
  publishPage(tx: Queryable, items: readonly FeedItem[]): Promise<number>;
};

/**
 * Hands what is new in the orders' log to a follower. One processor does it at a time; each step is
 * one transaction, so a message and the place in the log come about together, and a process that
 * dies in between leaves both as they were.
 *
 * Numbers in the log are given before they are committed, so a lower one can appear after a higher
 * one. The place therefore moves up to a mark only after everything that ran when the mark was set
 * is over; until then the entries behind it are read again, and the follower keeps each from
 * making a second message.
 *
 * @returns how many deliveries came of it; undefined when another process is at it
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

/** Everything older than this transaction id is over and, if it was committed, visible. */
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
      // Numbered only now, after the log was read: whoever has a lower number began before it.
      ...(newest > position
        ? { mark: newest, markTransaction: sql`pg_current_xact_id()::text` }
        : { mark: null, markTransaction: null }),
    })
    .where(eq(webhookCursor.name, name));
}
