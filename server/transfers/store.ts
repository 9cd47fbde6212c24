import { eq, gt, inArray, sql } from 'drizzle-orm';
import type { Address } from 'viem';
import type { Queryable } from '../db/client.ts';
import {
  chainLegs,
  usdcAccounts,
  usdcTransfers,
  withdrawalEvents,
} from '../db/schema/transfers.ts';
import { type LedgerLine, move, postLeg, removeLegs } from '../ledger/ledger.ts';
import { stableId } from '../stableId.ts';
import type { NewUsdcTransfer } from './readBlocks.ts';

/** Whose the lines are that were booked because of the chain alone: no user's. */
const CHAIN = 'chain';

/** Accounts whose USDC the books follow. */
export async function listFollowed(db: Queryable): Promise<Address[]> {
  const rows = await db.select({ address: usdcAccounts.address }).from(usdcAccounts);
  return rows.map((row) => row.address as Address);
}

/** Of these, the accounts that are not followed yet. */
export async function withoutFollowed(db: Queryable, accounts: string[]): Promise<Address[]> {
  if (accounts.length === 0) return [];
  const known = await db
    .select({ address: usdcAccounts.address })
    .from(usdcAccounts)
    .where(inArray(usdcAccounts.address, accounts));
  const followed = new Set(known.map((row) => row.address));
  return accounts.filter((account) => !followed.has(account)) as Address[];
}

/** Begins to follow an account: from `blockNumber` on the books have what it held there. */
export async function storeOpening(
  tx: Queryable,
  opening: { account: Address; blockNumber: bigint; usdcMicros: bigint },
): Promise<void> {
  const { account, blockNumber, usdcMicros } = opening;
  const stored = await tx
    .insert(usdcAccounts)
    .values({
      address: account,
      openedAtBlock: blockNumber,
      openingUsdcMicros: usdcMicros,
      createdAt: sql`now()`,
    })
    .onConflictDoNothing()
    .returning({ address: usdcAccounts.address });
  if (stored.length === 0) return;
  const lines = move('usdc', 'outside', `user:${account}`, usdcMicros);
  await postChainLeg(tx, { leg: 'opening', reference: account, blockNumber, lines });
}

/** Books what a transaction moved beyond our own legs. Booking it again changes nothing. */
export async function postChainLeg(
  tx: Queryable,
  leg: {
    leg: 'opening' | 'transfer';
    /** The transaction's hash, or the account. */
    reference: string;
    blockNumber: bigint;
    lines: LedgerLine[];
  },
): Promise<void> {
  if (leg.lines.every((line) => line.amountMicros === 0n)) return;
  const legId = stableId(leg.leg, leg.reference);
  const stored = await tx
    .insert(chainLegs)
    .values({ legId, reference: leg.reference, blockNumber: leg.blockNumber })
    .onConflictDoNothing()
    .returning({ legId: chainLegs.legId });
  if (stored.length === 0) return;
  await postLeg(tx, { id: legId, accountId: CHAIN }, { leg: leg.leg, lines: leg.lines });
}

export async function storeTransfers(tx: Queryable, transfers: NewUsdcTransfer[]): Promise<void> {
  if (transfers.length > 0) await tx.insert(usdcTransfers).values(transfers).onConflictDoNothing();
}

export async function storeWithdrawals(
  tx: Queryable,
  withdrawals: (typeof withdrawalEvents.$inferInsert)[],
): Promise<void> {
  if (withdrawals.length === 0) return;
  await tx.insert(withdrawalEvents).values(withdrawals).onConflictDoNothing();
}

/** The withdrawal of an intent as the chain has seen it, whoever sent the transaction. */
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

/** Forgets everything that blocks after `blockNumber` told, with what was booked for it. */
export async function forgetAfter(tx: Queryable, blockNumber: bigint): Promise<void> {
  const legs = await tx
    .delete(chainLegs)
    .where(gt(chainLegs.blockNumber, blockNumber))
    .returning({ legId: chainLegs.legId });
  await removeLegs(
    tx,
    legs.map((leg) => leg.legId),
  );
  await tx.delete(usdcTransfers).where(gt(usdcTransfers.blockNumber, blockNumber));
  await tx.delete(withdrawalEvents).where(gt(withdrawalEvents.blockNumber, blockNumber));
  await tx.delete(usdcAccounts).where(gt(usdcAccounts.openedAtBlock, blockNumber));
}
