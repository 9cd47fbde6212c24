import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { zeroAddress } from 'viem';
import { tokenIdHex } from '#lib/outcomeToken.ts';
import type { OperationKind } from '../chain/operations/store.ts';
import type { Queryable } from '../db/client.ts';
import {
  chainOperations,
  chainTransactions,
  tokenTransfers,
  vaultEvents,
} from '../db/schema/chain.ts';
import { venueAttempts } from '../db/schema/orders.ts';

/** What the steps know besides the order's row: facts that others wrote down. */

export type VaultEvent = typeof vaultEvents.$inferSelect;
export type Operation = typeof chainOperations.$inferSelect & { transactionHash: string | null };
export type VenueAttempt = typeof venueAttempts.$inferSelect;

/** What the vault logged about an order, if it did. */
export async function findVaultEvent(
  db: Queryable,
  chainOrderId: string,
  kind: VaultEvent['kind'],
): Promise<VaultEvent | undefined> {
  const [event] = await db
    .select()
    .from(vaultEvents)
    .where(and(eq(vaultEvents.chainOrderId, chainOrderId), eq(vaultEvents.kind, kind)))
    .limit(1);
  return event;
}

/**
 * To whom the tokens of a filled purchase went. The vault mints right before it logs the fill, so
 * among a batch's it is the last one before. Undefined while the transfer has not been read.
 */
export async function findDelivery(
  db: Queryable,
  filled: VaultEvent,
  tokenId: bigint,
): Promise<string | undefined> {
  const [transfer] = await db
    .select({ to: tokenTransfers.toAddress })
    .from(tokenTransfers)
    .where(
      and(
        eq(tokenTransfers.transactionHash, filled.transactionHash),
        eq(tokenTransfers.tokenId, tokenIdHex(tokenId)),
        eq(tokenTransfers.fromAddress, zeroAddress),
        lt(tokenTransfers.logIndex, filled.logIndex),
      ),
    )
    .orderBy(desc(tokenTransfers.logIndex))
    .limit(1);
  return transfer?.to;
}

/** The version that was mined; before that the one first sent. None, where none of ours ever can be. */
const SENT_OR_MINED = sql<string | null>`coalesce(${chainTransactions.minedHash},
  case when ${chainTransactions.state} <> 'superseded' then ${chainTransactions.hash} end)`;

/** The latest try of one kind of chain operation for an intent. */
export async function findLatestOperation(
  db: Queryable,
  orderId: string,
  kind: OperationKind,
): Promise<Operation | undefined> {
  const [found] = await db
    .select({ operation: chainOperations, hash: SENT_OR_MINED })
    .from(chainOperations)
    .leftJoin(chainTransactions, eq(chainTransactions.id, chainOperations.transactionId))
    .where(and(eq(chainOperations.orderId, orderId), eq(chainOperations.kind, kind)))
    .orderBy(desc(chainOperations.attempt))
    .limit(1);
  return found ? { ...found.operation, transactionHash: found.hash } : undefined;
}

/** Whether a grant of an account is on its way to the chain, whichever intent asked for it. */
export async function isGrantUnderWay(db: Queryable, accountId: string): Promise<boolean> {
  const rows = await db
    .select({ id: chainOperations.id })
    .from(chainOperations)
    .where(
      and(
        eq(chainOperations.accountId, accountId),
        sql`${chainOperations.kind} = 'grant' and ${chainOperations.state} in ('ready', 'sent')`,
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** The latest time the exchange was, or was about to be, asked. */
export async function findLatestAttempt(
  db: Queryable,
  orderId: string,
): Promise<VenueAttempt | undefined> {
  const [attempt] = await db
    .select()
    .from(venueAttempts)
    .where(eq(venueAttempts.orderId, orderId))
    .orderBy(desc(venueAttempts.attempt))
    .limit(1);
  return attempt;
}
