import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/database/client.ts';
import { chainOperations } from '../../platform/database/schema/chain.ts';
import { addOperations, type ChainOperation } from './store.ts';

/** Attempts for operations that were sent or succeeded and are not on chain. */
const MAX_REISSUES = 12;
const RETRY_MS = 2_000;
/** An admin may need minutes to provide what it waits for, for instance gas money. */
const MAX_RETRY_MS = 60_000;

type ReissuedArgs = { reissues?: number; wasReverted?: boolean };

/** Merged into the arguments of an operation that had succeeded, and whose transaction vanished. */
export const WAS_REVERTED = { wasReverted: true } as const satisfies ReissuedArgs;

/** Whether an operation had once succeeded before the chain took that back. */
export function wasReverted(operation: ChainOperation): boolean {
  return (operation.args as ReissuedArgs).wasReverted ?? false;
}

/** Whether an operation stands in for one that a fork or a taken nonce undid. */
export function isReissued(operation: ChainOperation): boolean {
  return reissuesOf(operation) > 0;
}

/**
 * Replaces an operation that provably did not happen, though it was sent, with a new attempt: the
 * same arguments under another nonce.
 * @returns false after too many attempts, or when the operation has an outcome meanwhile
 */
export async function reissue(
  tx: Queryable,
  operation: ChainOperation,
  failure: string,
): Promise<boolean> {
  const reissues = reissuesOf(operation) + 1;
  if (reissues > MAX_REISSUES) return false;
  const ended = await tx
    .update(chainOperations)
    .set({ state: 'failed', failure, resolvedAt: sql`now()` })
    .where(
      and(
        eq(chainOperations.id, operation.id),
        inArray(chainOperations.state, ['sent', 'succeeded']),
      ),
    )
    .returning({ id: chainOperations.id });
  if (ended.length === 0) return false;
  const args = {
    ...(operation.args as object),
    reissues,
    notBeforeMs: reissues > 1 ? Math.min(RETRY_MS * 2 ** (reissues - 2), MAX_RETRY_MS) : 0,
  };
  const subject = { id: operation.orderId, accountId: operation.accountId };
  await addOperations(tx, subject, [
    { kind: operation.kind, attempt: operation.attempt + 1, args },
  ]);
  return true;
}

function reissuesOf(operation: ChainOperation): number {
  return (operation.args as ReissuedArgs).reissues ?? 0;
}
