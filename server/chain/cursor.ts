import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import type { Database, Queryable } from '../platform/database/client.ts';
import { isLeasable } from '../platform/database/lease.ts';
import { chainCursors, type ReadBlock } from '../platform/database/schema/chain.ts';
import { readKnownBlock } from './behind.ts';
import type { Chain } from './client.ts';
import type { ReadPosition } from './contractReader.ts';

/** The progress of a reader of the chain: one process at a time moves it. */
export type Cursor = { blockNumber: bigint; blockHash: string };

export type HeldCursor = Cursor & {
  recentBlocks: ReadBlock[];
  /** The block after which an admin has requested a re-read. */
  rereadFrom: bigint | null;
  isRereading: boolean;
};

/** What one look at the chain came to: `elsewhere` while another process reads. */
export type ReadOutcome = 'more' | 'done' | 'elsewhere';

/** A reader of the chain that one process at a time runs. */
export type LeasedReader = {
  read(): Promise<ReadOutcome>;
  /** Keeps the lease during a long read. */
  renew(): Promise<void>;
  /** Lets another process read at once. */
  release(): Promise<void>;
};

/** The lease has expired, and another process has taken it. */
export class CursorTakenError extends Error {
  override name = 'CursorTakenError';
}

const LEASE_SECONDS = 4;
/** Reads of the next second need no new lease. */
const RENEWED_SECONDS = LEASE_SECONDS - 1;

/** Acquires or keeps the right to read; undefined while another process has it. */
export async function holdCursor(
  database: Database,
  name: string,
  token: string,
): Promise<HeldCursor | undefined> {
  const [found] = await database.orm
    .select({
      cursor: chainCursors,
      isRenewed: sql<boolean>`${chainCursors.leaseToken} = ${token}
        and ${chainCursors.leaseUntil} > now() + ${RENEWED_SECONDS} * interval '1 second'`,
      isLeasable: sql<boolean>`${isLeasable(chainCursors, token)}`,
    })
    .from(chainCursors)
    .where(eq(chainCursors.name, name));
  if (found?.isRenewed) return found.cursor;
  if (found && !found.isLeasable) return undefined;
  // An insert would wait for the process that moves the cursor, so it is not tried each time.
  if (!found) {
    await database.orm
      .insert(chainCursors)
      .values({ name, blockNumber: 0n, blockHash: '', updatedAt: sql`now()` })
      .onConflictDoNothing();
  }
  return await takeCursor(database, name, token);
}

async function takeCursor(
  database: Database,
  name: string,
  token: string,
): Promise<HeldCursor | undefined> {
  const [cursor] = await database.orm
    .update(chainCursors)
    .set({ leaseToken: token, leaseUntil: leaseEnd() })
    .where(and(eq(chainCursors.name, name), isLeasable(chainCursors, token)))
    .returning();
  return cursor;
}

/** How a reader with this token keeps its lease, and gives it up. */
export function cursorLease(
  { orm }: Database,
  name: string,
  token: string,
): Pick<LeasedReader, 'renew' | 'release'> {
  const isOurs = and(eq(chainCursors.name, name), eq(chainCursors.leaseToken, token));
  const free = { leaseToken: null, leaseUntil: null };
  return {
    renew: async () =>
      void (await orm.update(chainCursors).set({ leaseUntil: leaseEnd() }).where(isOurs)),
    release: async () => void (await orm.update(chainCursors).set(free).where(isOurs)),
  };
}

function leaseEnd() {
  return sql`now() + ${LEASE_SECONDS} * interval '1 second'`;
}

/** Moves the cursor in the caller's transaction. @throws {CursorTakenError} */
export async function advanceCursor(
  tx: Queryable,
  name: string,
  token: string,
  to: Cursor & Partial<HeldCursor>,
): Promise<void> {
  const moved = await tx
    .update(chainCursors)
    .set({ ...to, updatedAt: sql`now()` })
    .where(and(eq(chainCursors.name, name), eq(chainCursors.leaseToken, token)))
    .returning({ name: chainCursors.name });
  if (moved.length !== 1) throw new CursorTakenError('another process reads the chain now');
}

/** The position of a reader, without acquiring it. */
export async function readCursor(db: Queryable, name: string): Promise<Cursor | undefined> {
  const [cursor] = await db
    .select({ blockNumber: chainCursors.blockNumber, blockHash: chainCursors.blockHash })
    .from(chainCursors)
    .where(eq(chainCursors.name, name));
  return cursor;
}

/** Requests that the readers of the chain read everything after a block again. */
export async function requestReread(
  db: Queryable,
  names: readonly string[],
  rereadFrom: bigint,
): Promise<void> {
  await db
    .update(chainCursors)
    .set({ rereadFrom, updatedAt: sql`now()` })
    .where(inArray(chainCursors.name, [...names]));
}

/** Whether a requested re-read has not finished yet. */
export async function isRereadOpen(db: Queryable, name: string): Promise<boolean> {
  const [cursor] = await db
    .select({ name: chainCursors.name })
    .from(chainCursors)
    .where(
      and(
        eq(chainCursors.name, name),
        or(isNotNull(chainCursors.rereadFrom), chainCursors.isRereading),
      ),
    );
  return cursor !== undefined;
}

/** Whether the block that was read last is still on the chain. */
export async function isStillOnChain(chain: Chain, cursor: Cursor): Promise<boolean> {
  if (cursor.blockHash === '') return true;
  const block = await readKnownBlock(chain.client, cursor.blockNumber);
  return block.hash === cursor.blockHash;
}

/** The cursor as a contract reader's position. */
export function positionOf({
  blockNumber,
  blockHash,
  recentBlocks,
  rereadFrom,
}: HeldCursor): ReadPosition {
  // Written before blocks were remembered: the one where reading stopped is still known.
  const only = blockHash === '' ? [] : [{ number: blockNumber.toString(), hash: blockHash }];
  return {
    blockNumber,
    recentBlocks: recentBlocks.length > 0 ? recentBlocks : only,
    ...(rereadFrom === null ? {} : { rereadFrom }),
  };
}
