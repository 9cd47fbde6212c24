import { asc, eq, gt, isNull, sql } from 'drizzle-orm';
import { numberToHex } from 'viem';
import type { Database, Queryable } from '../platform/database/client.ts';
import { blockTimes, chainCursors } from '../platform/database/schema/chain.ts';
import type { Chain } from './client.ts';
import { type Cursor, isStillOnChain, readCursor } from './cursor.ts';

/**
 * Logs carry their block's number, and with some nodes its time. A writer of a log records the
 * block in the same transaction; a missing time is read shortly afterwards, once per block.
 */
type PlacedLog = { blockNumber: bigint | null; blockTimestamp?: bigint | null | undefined };

/** The reader that determines the current branch. */
const CONTRACTS_CURSOR = 'contracts';
const BLOCKS_AT_ONCE = 20;

/**
 * Records, in the caller's transaction, that these logs' blocks need a time, or the time itself if
 * the node returned it.
 */
export async function recordBlocks(tx: Queryable, logs: readonly PlacedLog[]): Promise<void> {
  const times = new Map<bigint, Date | null>();
  for (const { blockNumber, blockTimestamp } of logs) {
    if (blockNumber === null) continue;
    const known = times.get(blockNumber) ?? null;
    times.set(blockNumber, blockTimestamp ? timeOf(blockTimestamp) : known);
  }
  if (times.size === 0) return;
  await tx
    .insert(blockTimes)
    .values([...times].map(([blockNumber, at]) => ({ blockNumber, at })))
    .onConflictDoUpdate({
      target: blockTimes.blockNumber,
      set: { at: sql`excluded.at` },
      // The newest blocks are read repeatedly; usually nothing has changed.
      setWhere: sql`excluded.at is distinct from ${blockTimes.at} and excluded.at is not null`,
    });
}

/** Deletes the times of removed blocks. */
export async function deleteBlockTimes(tx: Queryable, after: bigint): Promise<void> {
  await tx.update(blockTimes).set({ at: null }).where(gt(blockTimes.blockNumber, after));
}

/**
 * Reads missing times. Returns whether more are missing.
 * @throws when the node does not respond
 */
export async function readBlockTimes(deps: { database: Database; chain: Chain }): Promise<boolean> {
  const db = deps.database.orm;
  const unread = await db
    .select({ blockNumber: blockTimes.blockNumber })
    .from(blockTimes)
    .where(isNull(blockTimes.at))
    .orderBy(asc(blockTimes.blockNumber))
    .limit(BLOCKS_AT_ONCE);
  const cursor = unread.length > 0 ? await readCursor(db, CONTRACTS_CURSOR) : undefined;
  if (!cursor || cursor.blockHash === '') return false;
  const wanted = unread.filter(({ blockNumber }) => blockNumber <= cursor.blockNumber);
  if (wanted.length === 0) return false;
  const times = await Promise.all(wanted.map((one) => readTime(deps.chain, one.blockNumber)));
  const known = times.flatMap((one) => one ?? []);
  if (known.length === 0 || !(await isStillOnChain(deps.chain, cursor))) return false;
  const stored = await db.transaction(async (tx) => {
    if (!(await stillStandsOn(tx, cursor))) return false;
    for (const { blockNumber, at } of known) {
      await tx.update(blockTimes).set({ at }).where(eq(blockTimes.blockNumber, blockNumber));
    }
    return true;
  });
  return stored && wanted.length === BLOCKS_AT_ONCE;
}

/** The known times of these blocks. */
export async function findBlockTimes(
  db: Queryable,
  blockNumbers: readonly bigint[],
): Promise<Map<bigint, Date>> {
  const numbers = sql.param([...new Set(blockNumbers)].map(String));
  const rows = await db
    .select()
    .from(blockTimes)
    .where(sql`${blockTimes.blockNumber} = any(${numbers}::bigint[])`);
  return new Map(rows.flatMap(({ blockNumber, at }) => (at ? [[blockNumber, at] as const] : [])));
}

/**
 * The time of a block or, if unknown, of the first later block with a known time, which is an upper
 * bound. The order of events is kept, so no balance turns negative.
 * @returns null for blocks after all known ones
 */
export function timeNoLater(
  times: ReadonlyMap<bigint, Date>,
): (blockNumber: bigint) => Date | null {
  const known = [...times].sort(([a], [b]) => (a < b ? -1 : 1));
  return (blockNumber) =>
    times.get(blockNumber) ?? known.find(([later]) => later > blockNumber)?.[1] ?? null;
}

async function readTime(
  chain: Chain,
  blockNumber: bigint,
): Promise<{ blockNumber: bigint; at: Date } | undefined> {
  const block = await chain.client.request({
    method: 'eth_getBlockByNumber',
    params: [numberToHex(blockNumber), false],
  });
  return block ? { blockNumber, at: timeOf(BigInt(block.timestamp)) } : undefined;
}

function timeOf(timestamp: bigint): Date {
  return new Date(Number(timestamp) * 1000);
}

/**
 * Locks the reader until the transaction ends, if it has not moved back behind this block: times of
 * an abandoned branch must not be stored.
 */
async function stillStandsOn(tx: Queryable, cursor: Cursor): Promise<boolean> {
  const [now] = await tx
    .select()
    .from(chainCursors)
    .where(eq(chainCursors.name, CONTRACTS_CURSOR))
    .for('share');
  return (
    now?.blockHash === cursor.blockHash ||
    now?.recentBlocks.some((block) => block.hash === cursor.blockHash) === true
  );
}
