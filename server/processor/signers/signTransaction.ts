import { eq, sql } from 'drizzle-orm';
import { formatEther, formatGwei, keccak256 } from 'viem';
import { type EncodedCall, encodeOperationCall } from '#server/chain/operations/encode.ts';
import {
  type ChainOperation,
  type ChainTransaction,
  lockReadyOperations,
  NO_LONGER_NEEDED,
  nextStoredNonce,
  storeSigned,
} from '#server/chain/operations/store.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { chainOperations } from '#server/platform/database/schema/chain.ts';
import { wakeOrders } from '../runner/wakeOrders.ts';
import { batchSizeOf, buildCall } from './buildCall.ts';
import { type Fees, feesToOffer, readFeeMarket } from './fees.ts';
import { holdsItsRole } from './keyRole.ts';
import { type Cargo, loadOperationTargets } from './operationTargets.ts';
import type { SignerAlerts } from './signerAlerts.ts';
import type { SignerDeps, SignerRole } from './signerDeps.ts';

/** A transaction that was signed just now, so that nobody can have sent it yet. */
export type Fresh = { transaction: ChainTransaction; cargo: Cargo };

type Outcome = Fresh | { missingWei: bigint };

/** What a key has sent last; the next of the other kinds is due before more of the same. */
export type Turns = { last?: ChainOperation['kind'] | undefined };

/** What a key can send now: the nonce the chain expects, and what it can and should pay. */
type Means = { chainNonce: bigint; balanceWei: bigint; fees: Fees };

/**
 * Signs a transaction for the oldest ready operations and stores it, all in one transaction.
 * Without the means to have it mined, or without its role at the vault, nothing is signed: the
 * operations stay free for another key.
 */
export async function signNext(
  deps: SignerDeps,
  role: SignerRole,
  alerts: SignerAlerts,
  turns: Turns,
): Promise<Fresh | undefined> {
  deps.checkpoint('chain.before_sign');
  const means = await readMeans(deps, role, alerts);
  if (!means) return undefined;
  const outcome = await deps.database.orm.transaction(async (tx): Promise<Outcome | undefined> => {
    const { kinds } = role;
    const servedLast = turns.last;
    const operations = await lockReadyOperations(tx, { kinds, batchSizeOf, servedLast });
    turns.last = operations[0]?.kind;
    if (operations.length === 0) return undefined;
    const subjects = await loadOperationTargets(tx, operations);
    const call = await buildCall(deps, tx, operations, subjects);
    if (!call) return await dropOperations(tx, operations);
    const encoded = encodeOperationCall(deps.chain.contracts, call);
    const missingWei = encoded.gas * means.fees.maxFeePerGas - means.balanceWei;
    if (missingWei > 0n) return { missingWei };
    const signed = await sign(deps, tx, role, means, encoded);
    const transaction = await storeSigned(tx, signed, operations);
    const sent = operations.map((operation) => ({
      ...operation,
      state: 'sent' as const,
      transactionId: transaction.id,
    }));
    return { transaction, cargo: { operations: sent, subjects } };
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

async function readMeans(
  deps: SignerDeps,
  role: SignerRole,
  alerts: SignerAlerts,
): Promise<Means | undefined> {
  const { address } = role.account;
  const [chainNonce, balanceWei, market, isAllowed] = await Promise.all([
    deps.chain.client.getTransactionCount({ address }),
    deps.chain.client.getBalance({ address }),
    readFeeMarket(deps.chain),
    holdsItsRole(deps.chain, role),
  ]);
  if (!isAllowed) {
    await alerts.raise('key_refused', 'the vault does not know it in its role');
    return undefined;
  }
  await alerts.clear('key_refused');
  const fees = feesToOffer(market, deps.maxFeePerGas);
  if (fees) return { chainNonce: BigInt(chainNonce), balanceWei, fees };
  const cost = formatGwei(market.nextBaseFeePerGas + market.priorityFeePerGas);
  await alerts.raise('transaction_stuck', `gas costs ${cost} gwei, more than we may pay`);
  return undefined;
}

async function sign(
  deps: SignerDeps,
  tx: Queryable,
  role: SignerRole,
  means: Means,
  call: EncodedCall,
) {
  const { address } = role.account;
  const storedNonce = await nextStoredNonce(tx, address);
  // A node that lags knows less than we have stored; a restored database less than the chain.
  const isStoredAhead = storedNonce > means.chainNonce;
  const nonce = isStoredAhead ? storedNonce : means.chainNonce;
  const raw = await role.account.signTransaction({
    type: 'eip1559',
    chainId: deps.chain.id,
    nonce: Number(nonce),
    ...call,
    ...means.fees,
  });
  return { signer: address, nonce, raw, hash: keccak256(raw) };
}

async function dropOperations(tx: Queryable, operations: ChainOperation[]): Promise<undefined> {
  for (const operation of operations) {
    await tx
      .update(chainOperations)
      .set({ state: 'failed', failure: NO_LONGER_NEEDED, resolvedAt: sql`now()` })
      .where(eq(chainOperations.id, operation.id));
  }
  await wakeOrders(
    tx,
    operations.map((operation) => operation.orderId),
  );
}
