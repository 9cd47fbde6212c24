import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Hex } from 'viem';
import { reissue } from '#server/chain/operations/reissue.ts';
import {
  type ChainOperation,
  type ChainTransaction,
  listOperationsOf,
} from '#server/chain/operations/store.ts';
import { markSuperseded } from '#server/chain/operations/versions.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { chainOperations } from '#server/platform/database/schema/chain.ts';
import { wakeOrders } from '../runner/wakeOrders.ts';
import { type Effect, readEffect } from './effect.ts';
import { loadOperationTargets } from './operationTargets.ts';
import type { SignerDeps } from './signerDeps.ts';

/**
 * Ends a transaction whose nonce somebody else's transaction has used: the key is used elsewhere
 * too, or the database is older than the chain. What its operations were to do is looked up on
 * chain; what is not done there goes into a new attempt, under another nonce.
 */
export async function supersede(deps: SignerDeps, transaction: ChainTransaction): Promise<void> {
  const operations = await listOperationsOf(deps.database.orm, transaction.id);
  const subjects = await loadOperationTargets(deps.database.orm, operations);
  const effects = new Map<string, Effect>();
  for (const operation of operations) {
    effects.set(operation.id, await readEffect(deps.chain, subjects, operation));
  }
  const doneByHash = [...effects.values()].find((effect) => effect.hash)?.hash;
  await deps.database.orm.transaction(async (tx) => {
    if (!(await markSuperseded(tx, transaction, doneByHash))) return;
    for (const operation of operations) {
      const isDone = effects.get(operation.id)?.isDone === true;
      if (isDone) await markDone(tx, operation);
      else await reissue(tx, operation, 'nonce_taken');
    }
    await wakeOrders(
      tx,
      operations.map((operation) => operation.orderId),
    );
  });
  const { signer, nonce, hash } = transaction;
  deps.log.error(
    { signer, nonce, hash: hash as Hex, operations: operations.map(({ id }) => id) },
    'the nonce of a transaction was used by one that is not ours; its operations go on without it',
  );
}

async function markDone(tx: Queryable, operation: ChainOperation): Promise<void> {
  await tx
    .update(chainOperations)
    .set({ state: 'succeeded', failure: null, resolvedAt: sql`now()` })
    .where(
      and(
        eq(chainOperations.id, operation.id),
        inArray(chainOperations.state, ['sent', 'succeeded']),
      ),
    );
}
