import { and, between, eq, gt, inArray, like, notExists, or, type SQL, sql } from 'drizzle-orm';
import type { Address } from 'viem';
import { recordBlocks } from '#server/chain/blockTimes.ts';
import type { BlockRange } from '#server/chain/logReader.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { insertRows } from '#server/platform/database/insertRows.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import {
  chainPostings,
  usdcAccounts,
  usdcTransfers,
  withdrawalEvents,
} from '#server/platform/database/schema/transfers.ts';
import { stableId } from '#server/platform/stableId.ts';
import { deleteSessionKeyEvents } from '../accounts/sessionKeyEvents.ts';
import {
  balanced,
  insertPosting,
  type LedgerLine,
  move,
  readPostingLines,
  removePostings,
} from '../ledger/ledger.ts';
import type { NewUsdcTransfer } from './readBlocks.ts';

/** How far transfers of USDC have been read and recorded. */
export const TRANSFERS_CURSOR = 'transfers';

/** The owner of lines that the chain alone causes; not a user. */
const CHAIN = 'chain';

/** Accounts whose USDC the ledger follows, each with the block after which that began. */
export async function listFollowed(db: Queryable): Promise<Map<string, bigint>> {
  const rows = await db
    .select({ address: usdcAccounts.address, openedAtBlock: usdcAccounts.openedAtBlock })
    .from(usdcAccounts);
  return new Map(rows.map((row) => [row.address, row.openedAtBlock]));
}

/** The accounts among these that are not followed yet. */
export async function withoutFollowed(db: Queryable, accounts: string[]): Promise<Address[]> {
  if (accounts.length === 0) return [];
  const known = await db
    .select({ address: usdcAccounts.address })
    .from(usdcAccounts)
    .where(inArray(usdcAccounts.address, accounts));
  const followed = new Set(known.map((row) => row.address));
  return accounts.filter((account) => !followed.has(account)) as Address[];
}

/** Starts following accounts with their balances at the end of `blockNumber`. */
export async function storeOpenings(
  tx: Queryable,
  blockNumber: bigint,
  openings: readonly { account: Address; usdcMicros: bigint }[],
): Promise<void> {
  const opened = { openedAtBlock: blockNumber, createdAt: sql`now()` };
  const rows = openings.map(({ account: address, usdcMicros: openingUsdcMicros }) => {
    return { address, openingUsdcMicros, ...opened };
  });
  const stored = await tx
    .insert(usdcAccounts)
    .values(rows)
    .onConflictDoNothing()
    .returning({ address: usdcAccounts.address, usdcMicros: usdcAccounts.openingUsdcMicros });
  if (stored.length === 0) return;
  await recordBlocks(tx, [{ blockNumber }]);
  const postings = stored.map(({ address: reference, usdcMicros }): ChainPosting => {
    const lines = move('usdc', 'outside', `user:${reference}`, usdcMicros);
    return { name: 'opening', reference, blockNumber, lines };
  });
  await insertChainPostings(tx, postings);
}

/**
 * Posts what transactions moved beyond our own postings. Idempotent; when the node returns logs
 * that it omitted before, the posting is corrected.
 */
export async function insertChainPostings(
  tx: Queryable,
  postings: readonly ChainPosting[],
): Promise<void> {
  const wanted = new Map(
    postings.map((posting) => [
      stableId(posting.name, posting.reference),
      { ...posting, lines: balanced(posting.lines) },
    ]),
  );
  const known = await readPostings(tx, [...wanted.keys()]);
  for (const [postingId, { lines }] of wanted) {
    if (sameLines(known.get(postingId) ?? [], lines)) wanted.delete(postingId);
  }
  const changed = [...wanted.keys()].filter((postingId) => known.has(postingId));
  if (changed.length > 0) {
    await tx.delete(chainPostings).where(isOneOf(chainPostings.postingId, changed));
    await removePostings(tx, changed);
  }
  for (const [postingId, { name, reference, blockNumber, lines }] of wanted) {
    if (lines.length === 0) continue;
    await tx.insert(chainPostings).values({ postingId, reference, blockNumber });
    await insertPosting(tx, { id: postingId, accountId: CHAIN }, { name, lines });
  }
}

export type ChainPosting = {
  name: 'opening' | 'transfer' | 'unread';
  /** The transaction's hash, the account, or the account and a block. */
  reference: string;
  blockNumber: bigint;
  lines: LedgerLine[];
};

/** The lines of these postings that are in force. */
async function readPostings(
  tx: Queryable,
  postingIds: string[],
): Promise<Map<string, LedgerLine[]>> {
  if (postingIds.length === 0) return new Map();
  const rows = await tx
    .select({ postingId: chainPostings.postingId })
    .from(chainPostings)
    .where(isOneOf(chainPostings.postingId, postingIds));
  const current = rows.map((row) => row.postingId);
  const lines = await readPostingLines(tx, current);
  return new Map(current.map((postingId) => [postingId, lines.get(postingId) ?? []]));
}

function sameLines(before: LedgerLine[], after: LedgerLine[]): boolean {
  const text = (line: LedgerLine) => `${line.account}|${line.asset}|${line.amountMicros}`;
  const known = new Set(before.map(text));
  return known.size === after.length && after.every((line) => known.has(text(line)));
}

export async function storeTransfers(tx: Queryable, transfers: NewUsdcTransfer[]): Promise<void> {
  await insertRows(tx, usdcTransfers, transfers);
}

export async function listTransfersOf(
  tx: Queryable,
  transactionHashes: string[],
): Promise<NewUsdcTransfer[]> {
  if (transactionHashes.length === 0) return [];
  return await tx
    .select()
    .from(usdcTransfers)
    .where(isOneOf(usdcTransfers.transactionHash, transactionHashes));
}

export async function listTransfersAt(
  tx: Queryable,
  address: string,
  blockNumber: bigint,
): Promise<NewUsdcTransfer[]> {
  const { fromAddress, toAddress } = usdcTransfers;
  const isOfAddress = or(eq(fromAddress, address), eq(toAddress, address));
  return await tx
    .select()
    .from(usdcTransfers)
    .where(and(eq(usdcTransfers.blockNumber, blockNumber), isOfAddress));
}

/** Postings that recorded accounts by their balance, in a range of blocks. */
export async function listUnreadPostings(
  tx: Queryable,
  { fromBlock, toBlock }: BlockRange,
): Promise<{ reference: string; blockNumber: bigint }[]> {
  return await tx
    .select({ reference: chainPostings.reference, blockNumber: chainPostings.blockNumber })
    .from(chainPostings)
    .where(
      and(
        between(chainPostings.blockNumber, fromBlock, toBlock),
        like(chainPostings.reference, '0x% %'),
      ),
    );
}

export async function storeWithdrawals(
  tx: Queryable,
  withdrawals: (typeof withdrawalEvents.$inferInsert)[],
): Promise<void> {
  if (withdrawals.length === 0) return;
  await tx.insert(withdrawalEvents).values(withdrawals).onConflictDoNothing();
}

/** The withdrawal of an order as the chain logged it, regardless of the sender. */
export async function findWithdrawalEvent(
  db: Queryable,
  orderId: string,
): Promise<typeof withdrawalEvents.$inferSelect | undefined> {
  const [event] = await db
    .select()
    .from(withdrawalEvents)
    .where(eq(withdrawalEvents.orderId, orderId));
  return event;
}

/**
 * Deletes the logs of removed blocks after `blockNumber` with their postings.
 * @returns the deleted withdrawals
 */
export async function deleteAfter(tx: Queryable, blockNumber: bigint): Promise<string[]> {
  await removeChainPostings(tx, gt(chainPostings.blockNumber, blockNumber));
  await tx.delete(usdcTransfers).where(gt(usdcTransfers.blockNumber, blockNumber));
  await deleteSessionKeyEvents(tx, blockNumber);
  await tx.delete(usdcAccounts).where(gt(usdcAccounts.openedAtBlock, blockNumber));
  const withdrawals = await tx
    .delete(withdrawalEvents)
    .where(gt(withdrawalEvents.blockNumber, blockNumber))
    .returning({ orderId: withdrawalEvents.orderId });
  return withdrawals.map((withdrawal) => withdrawal.orderId);
}

/**
 * Deletes the transfers and session keys of blocks after `blockNumber` to read them again. The blocks
 * still exist, so opened accounts and withdrawals stay.
 */
export async function deleteTransfersAfter(tx: Queryable, blockNumber: bigint): Promise<string[]> {
  const isTransfer = notExists(
    tx.select().from(usdcAccounts).where(eq(usdcAccounts.address, chainPostings.reference)),
  );
  await removeChainPostings(tx, and(gt(chainPostings.blockNumber, blockNumber), isTransfer));
  await tx.delete(usdcTransfers).where(gt(usdcTransfers.blockNumber, blockNumber));
  await deleteSessionKeyEvents(tx, blockNumber);
  return [];
}

async function removeChainPostings(tx: Queryable, which: SQL | undefined): Promise<void> {
  const { postingId } = chainPostings;
  const deleted = await tx.delete(chainPostings).where(which).returning({ postingId });
  const ids = deleted.map((posting) => posting.postingId);
  await removePostings(tx, ids);
}
