import { and, desc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/database/client.ts';
import { chainOperations, chainTransactions } from '../../platform/database/schema/chain.ts';
import type { OperationKind } from './store.ts';

export type Operation = typeof chainOperations.$inferSelect & { transactionHash: string | null };

/**
 * The version that was mined; before that the one first sent. None, where none of ours ever can be.
 */
export const SENT_OR_MINED = sql<string | null>`coalesce(${chainTransactions.minedHash},
  case when ${chainTransactions.state} <> 'superseded' then ${chainTransactions.hash} end)`;

/** The latest attempt of one kind of chain operation for an order. */
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
