import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/database/client.ts';
import { chainOperations } from '../../platform/database/schema/chain.ts';
import { addOperations, type ChainOperation } from './store.ts';

/** The maximum of new attempts for operations that are not on chain any more. */
const MAX_REISSUES = 12;
const RETRY_MS = 2_000;
/** An admin may need minutes to remove the cause, for instance to provide gas. */
const MAX_RETRY_MS = 60_000;

type ReissuedArgs = { reissues?: number; wasReverted?: boolean };

/** Added to the arguments of an operation whose successful transaction was removed by a fork. */
export const WAS_REVERTED = { wasReverted: true } as const satisfies ReissuedArgs;

/** Whether a reorganisation removed the operation's successful transaction. */
export function wasReverted(operation: ChainOperation): boolean {
  return (operation.args as ReissuedArgs).wasReverted ?? false;
}

/** Whether an operation replaces one that a fork or a foreign nonce undid. */
export function isReissued(operation: ChainOperation): boolean {
  return reissuesOf(operation) > 0;
}

/**
 * Replaces a sent operation that provably did not happen with a new attempt: the same arguments
 * under another nonce.
 * @returns false after too many attempts, or if the operation has a result meanwhile
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
