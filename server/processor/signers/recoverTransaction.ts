import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import {
  type Address,
  formatGwei,
  type Hex,
  numberToHex,
  parseTransaction,
  type TransactionReceipt,
} from 'viem';
import { reissue } from '#server/chain/operations/reissue.ts';
import {
  type ChainOperation,
  type ChainTransaction,
  listOperationsOf,
} from '#server/chain/operations/store.ts';
import {
  markSuperseded,
  storeReplacement,
  type TransactionVersion,
} from '#server/chain/operations/transactions.ts';
import { wakeOrders } from '#server/domain/orders/lifecycle/dueOrders.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { chainOperations, chainTransactions } from '#server/platform/database/schema/chain.ts';
import type { ChainSigner } from '#server/platform/keys/chainSigner.ts';
import { deleteTransactions, findDropped } from '../forks/contractLogs.ts';
import { revertStates } from '../forks/revertStates.ts';
import { type Effect, readEffect } from './readReceipt.ts';
import { type Fees, raiseFees, readFeeMarket } from './sendTransaction.ts';
import type { SignerAlerts, SignerDeps, SignerRole } from './signer.ts';
import { loadOperationTargets } from './transactionContents.ts';

/**
 * Signs and stores another version of an underpriced transaction: the same call under the same
 * nonce with higher fees. Nothing else may ever be signed for that nonce.
 * @returns whether there is a new version to broadcast
 */
export async function replaceWhenUnderpriced(
  deps: SignerDeps,
  role: SignerRole,
  transaction: ChainTransaction,
  newest: TransactionVersion,
  alerts: SignerAlerts,
): Promise<boolean> {
  const market = await readFeeMarket(deps.chain);
  const raise = raiseFees(feesOf(newest.raw), market, deps.maxFeePerGas);
  if (raise.kind === 'enough') return false;
  if (raise.kind === 'capped') {
    const cost = formatGwei(market.nextBaseFeePerGas + market.priorityFeePerGas);
    await alerts.raise('transaction_stuck', `gas costs ${cost} gwei, above the gas price limit`);
    return false;
  }
  const raw = await signAgain(role.account, newest.raw, raise.fees);
  await storeReplacement(deps.database.orm, transaction, raw);
  deps.checkpoint('chain.replacement_stored');
  const { signer, nonce } = transaction;
  const maxFeePerGas = raise.fees.maxFeePerGas.toString();
  deps.log.warn({ signer, nonce, maxFeePerGas }, 'replacing an underpriced transaction');
  return true;
}

/** Signs the same call with other fees; nothing else can differ. */
export async function signAgain(account: ChainSigner, raw: Hex, fees: Fees): Promise<Hex> {
  const { to, data, gas, nonce, chainId } = parseTransaction(raw as `0x02${string}`);
  return await account.signTransaction({ type: 'eip1559', chainId, nonce, to, data, gas, ...fees });
}

function feesOf(raw: Hex): Fees {
  const { maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(raw as `0x02${string}`);
  return { maxFeePerGas: maxFeePerGas ?? 0n, maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n };
}

/**
 * Ends a transaction whose nonce a foreign transaction has used: the key is used elsewhere, or the
 * database is older than the chain. Operations whose effect is not on chain go into a new attempt
 * under another nonce.
 */
export async function supersede(deps: SignerDeps, transaction: ChainTransaction): Promise<void> {
  const operations = await listOperationsOf(deps.database.orm, transaction.id);
  const targets = await loadOperationTargets(deps.database.orm, operations);
  const effects = new Map<string, Effect>();
  for (const operation of operations) {
    effects.set(operation.id, await readEffect(deps.chain, targets, operation));
  }
  const doneByHash = [...effects.values()].find((effect) => effect.hash)?.hash;
  await deps.database.orm.transaction(async (tx) => {
    if (!(await markSuperseded(tx, transaction, doneByHash))) return;
    for (const operation of operations) {
      const isDone = effects.get(operation.id)?.isDone === true;
      if (isDone) await markDone(tx, operation);
      else await reissue(tx, operation, 'nonce_taken');
    }
    const orderIds = operations.map((operation) => operation.orderId);
    await wakeOrders(tx, orderIds);
  });
  const { signer, nonce, hash } = transaction;
  deps.log.error(
    { signer, nonce, hash, operations: operations.map(({ id }) => id) },
    'an unknown transaction used the nonce; its operations are sent again',
  );
}

async function markDone(tx: Queryable, operation: ChainOperation): Promise<void> {
  const { id, state } = chainOperations;
  await tx
    .update(chainOperations)
    .set({ state: 'succeeded', failure: null, resolvedAt: sql`now()` })
    .where(and(eq(id, operation.id), inArray(state, ['sent', 'succeeded'])));
}

type RecheckDeps = Pick<SignerDeps, 'database' | 'log'> & {
  chain: Pick<SignerDeps['chain'], 'client'>;
};

/**
 * A transaction cannot be mined while a predecessor is missing: a fork removed the predecessor
 * after its confirmation, but it still or already existed when the chain was checked. Such
 * predecessors are tracked again; a mined one is only checked once more.
 * @returns whether any was missing
 */
export async function recheckMissing(
  { database, chain, log }: RecheckDeps,
  { signer, nonce }: Pick<ChainTransaction, 'signer' | 'nonce'>,
): Promise<boolean> {
  const next = BigInt(await chain.client.getTransactionCount({ address: signer as Address }));
  if (next >= nonce) return false;
  const { signer: key, state, nonce: used } = chainTransactions;
  const before = await database.orm
    .select()
    .from(chainTransactions)
    .where(and(eq(key, signer), eq(state, 'confirmed'), gte(used, next), lt(used, nonce)));
  return await revertMissing({ database, chain, log }, signer, before);
}

/**
 * Checks a transaction once more after its receipt was stored: a fork in between may have removed
 * the receipt's block after the chain's reader had passed it, which then never returns to it.
 */
export async function recheckStored(
  deps: RecheckDeps,
  { id, signer }: Pick<ChainTransaction, 'id' | 'signer'>,
  { blockNumber, blockHash }: Pick<TransactionReceipt, 'blockNumber' | 'blockHash'>,
): Promise<void> {
  const block = await deps.chain.client.request({
    method: 'eth_getBlockByNumber',
    params: [numberToHex(blockNumber), false],
  });
  // Without the block the node is behind, or the reader has this block still before it.
  if (!block || block.hash === blockHash) return;
  const { state, id: transactionId } = chainTransactions;
  const stored = await deps.database.orm
    .select()
    .from(chainTransactions)
    .where(and(eq(transactionId, id), eq(state, 'confirmed')));
  await revertMissing(deps, signer, stored);
}

async function revertMissing(
  { database, chain, log }: RecheckDeps,
  signer: string,
  confirmed: readonly ChainTransaction[],
): Promise<boolean> {
  const missing = await findDropped(chain, confirmed);
  if (missing.length === 0) return false;
  await database.orm.transaction(async (tx) => {
    const { orderIds } = await revertStates(tx, await deleteTransactions(tx, missing));
    await wakeOrders(tx, orderIds);
  });
  const hashes = missing.map(({ hash }) => hash);
  log.warn({ signer, hashes }, 'the chain no longer knows these transactions');
  return true;
}
