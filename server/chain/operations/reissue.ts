import { and, eq, inArray, max, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { chainOperations } from '../../db/schema/chain.ts';
import { addOperations, type ChainOperation, type NewOperation } from './store.ts';

/** Tries of what we believed done, or on its way, and the chain does not have. */
const MAX_REISSUES = 12;
const RETRY_MS = 2_000;
/** What it waits for, gas money for instance, may take a person minutes to bring. */
const MAX_RETRY_MS = 60_000;

/** What the vault answers to a mint until there is another attestation: this one is old or overtaken. */
const UNATTESTED = new Set(['BackingStale', 'BackingExceeded', 'BelowFloor']);

type ReissuedArgs = { reissues?: number };

export function needsAttestation(failure: string | null): boolean {
  return failure !== null && UNATTESTED.has(failure);
}

/** Whether an operation stands in for one that a fork or a taken nonce undid. */
export function isReissued(operation: ChainOperation): boolean {
  return reissuesOf(operation) > 0;
}

/**
 * Puts a new attempt in the place of an operation that is proven not to have happened, though it
 * was sent. The same arguments, under a nonce of its own; a fill that the vault no longer finds
 * backed gets an attestation of its own again.
 * @returns false when it was tried too often, or the operation has been judged meanwhile
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
  const { orderId, accountId, kind, attempt } = operation;
  const next: NewOperation[] = [{ kind, attempt: attempt + 1, args }];
  if (kind === 'fill' && needsAttestation(failure)) {
    next.push({ kind: 'attest', attempt: (await lastAttestation(tx, orderId)) + 1, args: {} });
  }
  await addOperations(tx, { id: orderId, accountId }, next);
  return true;
}

async function lastAttestation(tx: Queryable, orderId: string): Promise<number> {
  const [last] = await tx
    .select({ attempt: max(chainOperations.attempt) })
    .from(chainOperations)
    .where(and(eq(chainOperations.orderId, orderId), eq(chainOperations.kind, 'attest')));
  return last?.attempt ?? 0;
}

function reissuesOf(operation: ChainOperation): number {
  return (operation.args as ReissuedArgs).reissues ?? 0;
}
