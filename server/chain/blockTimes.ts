import { and, asc, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import { numberToHex } from 'viem';
import type { Database, Queryable } from '../platform/database/client.ts';
import { blockTimes, chainCursors } from '../platform/database/schema/chain.ts';
import type { Chain } from './client.ts';
import { type Cursor, isStillOnChain, readCursor } from './cursor.ts';

/**
 * Logs carry the number of their block, and with some nodes its time. Whoever stores a log notes
 * the block in the same transaction; a time that is missing is read a moment later, once per block.
 */
type PlacedLog = { blockNumber: bigint | null; blockTimestamp?: bigint | null | undefined };

/** The reader whose view of the chain the times follow. */
const CONTRACTS_CURSOR = 'contracts';
const BLOCKS_AT_ONCE = 20;

/**
 * Remembers, in the caller's transaction, that the time of these logs' blocks is wanted; where the
 * node tells it with the log, it is known at once.
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
      // The newest blocks are read over and over; mostly nothing is new about them.
      setWhere: sql`excluded.at is distinct from ${blockTimes.at} and excluded.at is not null`,
    });
}

/** The chain went back: what later blocks told of their time is no longer so. */
export async function deleteBlockTimes(tx: Queryable, after: bigint): Promise<void> {
  await tx.update(blockTimes).set({ at: null }).where(gt(blockTimes.blockNumber, after));
}

/**
 * Reads times that are wanted. Answers whether more of them wait.
 * @throws when the node does not answer
 */
export async function readBlockTimes(deps: { database: Database; chain: Chain }): Promise<boolean> {
  const db = deps.database.orm;
  const cursor = await readCursor(db, CONTRACTS_CURSOR);
  if (!cursor || cursor.blockHash === '') return false;
  const wanted = await db
    .select({ blockNumber: blockTimes.blockNumber })
    .from(blockTimes)
    .where(and(isNull(blockTimes.at), lte(blockTimes.blockNumber, cursor.blockNumber)))
    .orderBy(asc(blockTimes.blockNumber))
    .limit(BLOCKS_AT_ONCE);
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

/** Of these blocks, the times that are known. */
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
 * The time of a block, or for one that is not read yet that of the first later one that is: it was
 * made no later. So what came first stays first, and no balance is ever less than nothing.
 * @returns null for blocks after all that are known
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
 * Holds the reader where it is until the transaction ends, if it has not gone back behind this
 * block: times of a fork that it has left already must not be stored.
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
