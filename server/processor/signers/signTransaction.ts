import { sql } from 'drizzle-orm';
import { formatEther, formatGwei, keccak256 } from 'viem';
import { maxMicros } from '#lib/money.ts';
import { type EncodedCall, encodeOperationCall } from '#server/chain/operations/encode.ts';
import {
  type ChainOperation,
  type ChainTransaction,
  lockReadyOperations,
  NO_LONGER_NEEDED,
  nextStoredNonce,
  storeSigned,
} from '#server/chain/operations/store.ts';
import { wakeOrders } from '#server/domain/orders/lifecycle/dueOrders.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { chainOperations } from '#server/platform/database/schema/chain.ts';
import { type Fees, feesToOffer, readFeeMarket } from './sendTransaction.ts';
import type { SignerAlerts, SignerDeps, SignerRole } from './signer.ts';
import { hasItsRoles } from './signer.ts';
import {
  batchSizeOf,
  buildCall,
  loadOperationTargets,
  type TransactionContents,
} from './transactionContents.ts';

/** A transaction signed just now, which no process can have sent yet. */
export type SignedTransaction = { transaction: ChainTransaction; contents: TransactionContents };

type Outcome = SignedTransaction | { missingWei: bigint };

/** The kind that a key sent last; the next of the other kinds precedes more of the same. */
export type LastServed = { last?: ChainOperation['kind'] | undefined };

/** What a key can send now: the nonce the chain expects, its balance and the fees. */
type Funding = { chainNonce: bigint; balanceWei: bigint; fees: Fees };

/**
 * Signs a transaction for the oldest ready operations and stores it, in one database transaction.
 * Without gas money or its role at the vault it signs nothing: the operations stay free for another
 * key.
 */
export async function signNext(
  deps: SignerDeps,
  role: SignerRole,
  alerts: SignerAlerts,
  lastServed: LastServed,
): Promise<SignedTransaction | undefined> {
  deps.checkpoint('chain.before_sign');
  const funding = await readFunding(deps, role, alerts);
  if (!funding) return undefined;
  const outcome = await deps.database.orm.transaction(async (tx): Promise<Outcome | undefined> => {
    const { kinds } = role;
    const servedLast = lastServed.last;
    const operations = await lockReadyOperations(tx, { kinds, batchSizeOf, servedLast });
    lastServed.last = operations[0]?.kind;
    if (operations.length === 0) return undefined;
    const targets = await loadOperationTargets(tx, operations);
    const call = await buildCall(deps, tx, operations, targets);
    if (!call) return await dropOperations(tx, operations, NO_LONGER_NEEDED);
    if (call.kind === 'obsolete') return await dropOperations(tx, operations, call.failure);
    const encoded = encodeOperationCall(deps.chain.contracts, call);
    const missingWei = encoded.gas * funding.fees.maxFeePerGas - funding.balanceWei;
    if (missingWei > 0n) return { missingWei };
    const signed = await sign(deps, tx, role, funding, encoded);
    const transaction = await storeSigned(tx, signed, operations);
    const sent = operations.map((operation) => ({
      ...operation,
      state: 'sent' as const,
      transactionId: transaction.id,
    }));
    return { transaction, contents: { operations: sent, targets } };
  });
  if (!outcome) return undefined;
  if ('missingWei' in outcome) {
    await alerts.raise('operator_unfunded', `lacks ${formatEther(outcome.missingWei)} ETH`);
    return undefined;
  }
  await alerts.clear('operator_unfunded');
  await alerts.clear('key_service_failing');
  deps.checkpoint('chain.signed');
  return outcome;
}

async function readFunding(
  deps: SignerDeps,
  role: SignerRole,
  alerts: SignerAlerts,
): Promise<Funding | undefined> {
  const { address } = role.account;
  const [chainNonce, balanceWei, market, isAllowed] = await Promise.all([
    deps.chain.client.getTransactionCount({ address }),
    deps.chain.client.getBalance({ address }),
    readFeeMarket(deps.chain),
    hasItsRoles(deps.chain, role),
  ]);
  if (!isAllowed) {
    await alerts.raise('key_refused', 'it lacks its role at the vault');
    return undefined;
  }
  await alerts.clear('key_refused');
  const fees = feesToOffer(market, deps.maxFeePerGas);
  if (fees) return { chainNonce: BigInt(chainNonce), balanceWei, fees };
  const cost = formatGwei(market.nextBaseFeePerGas + market.priorityFeePerGas);
  await alerts.raise('transaction_stuck', `gas costs ${cost} gwei, above the gas price limit`);
  return undefined;
}

async function sign(
  deps: SignerDeps,
  tx: Queryable,
  role: SignerRole,
  funding: Funding,
  call: EncodedCall,
) {
  const { address } = role.account;
  const storedNonce = await nextStoredNonce(tx, address);
  // A lagging node knows less than we have stored; a restored database less than the chain.
  const nonce = maxMicros(storedNonce, funding.chainNonce);
  const raw = await role.account.signTransaction({
    type: 'eip1559',
    chainId: deps.chain.id,
    nonce: Number(nonce),
    ...call,
    ...funding.fees,
  });
  return { signer: address, nonce, raw, hash: keccak256(raw) };
}

async function dropOperations(
  tx: Queryable,
  operations: ChainOperation[],
  failure: string,
): Promise<undefined> {
  const ids = operations.map((operation) => operation.id);
  await tx
    .update(chainOperations)
    .set({ state: 'failed', failure, resolvedAt: sql`now()` })
    .where(isOneOf(chainOperations.id, ids));
  const orderIds = operations.map((operation) => operation.orderId);
  await wakeOrders(tx, orderIds);
}
