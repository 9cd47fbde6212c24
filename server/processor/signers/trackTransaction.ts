import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import {
  type Address,
  formatGwei,
  formatTransactionReceipt,
  type Hex,
  parseTransaction,
  type TransactionReceipt,
} from 'viem';
import type { Chain } from '#server/chain/client.ts';
import { reissue } from '#server/chain/operations/reissue.ts';
import {
  type ChainOperation,
  type ChainTransaction,
  listOperationsOf,
} from '#server/chain/operations/store.ts';
import {
  firstVersionOf,
  listVersions,
  markSuperseded,
  storeReplacement,
  type TransactionVersion,
} from '#server/chain/operations/versions.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { chainOperations, chainTransactions } from '#server/platform/database/schema/chain.ts';
import type { ChainSigner } from '#server/platform/keys/chainSigner.ts';
import { observeTransaction } from '#server/platform/metrics/orders.ts';
import { isTracing, noteSpan } from '#server/platform/tracing/spans.ts';
import { findGone, forgetTransactions } from '../forks/contractLogs.ts';
import { revertStates } from '../forks/revertStates.ts';
import { pause } from '../runner/pause.ts';
import { wakeOrders } from '../runner/wakeOrders.ts';
import { type Effect, readEffect } from './readReceipt.ts';
import { resolveTransaction } from './resolveTransaction.ts';
import {
  type BroadcastResult,
  broadcast,
  type Fees,
  raiseFees,
  readFeeMarket,
} from './sendTransaction.ts';
import type { SignerAlerts } from './signerLoop.ts';
import type { SignerDeps, SignerRole } from './signerSet.ts';
import { type Cargo, loadOperationTargets } from './transactionContents.ts';

const RECEIPT_POLL_MS = 40;
/** Before the first look: a node that mines what it is sent has the receipt by then. */
const FIRST_LOOK_MS = 5;
/**
 * How long a receipt is waited for before anything else is tried. Less than the signer's lease, so
 * that it is renewed in time; not at all for what the node will not take.
 */
const PATIENCE_MS: Record<BroadcastResult, number> = {
  taken: 2_000,
  no_answer: 500,
  refused: 500,
  unfunded: 500,
  underpriced: 0,
  nonce_used: 0,
};
/** A version that was not mined for so long may offer too little. */
const REPLACE_AFTER_MS = 4_000;
/** For so long the nonce must be seen taken, and no receipt of ours seen, to believe it. */
const NONCE_PROOF_MS = 4_000;
const STUCK_AFTER_MS = 60_000;
/** Before a node is asked again to take what it refused. */
const REFUSED_PAUSE_MS = 1_000;

/** What this process has seen of the transaction under way; only time is lost with it. */
export type Sightings = { transactionId?: string; nonceTakenSince?: number };

type Sighting =
  | { kind: 'unmined' }
  /** In a block that may still be taken back. */
  | { kind: 'unconfirmed' }
  | { kind: 'confirmed'; receipt: TransactionReceipt };

type Under = {
  deps: SignerDeps;
  role: SignerRole;
  alerts: SignerAlerts;
  transaction: ChainTransaction;
  /** Of a transaction that this very run has signed: nobody can have sent it, or replaced it. */
  cargo?: Cargo | undefined;
  versions: readonly [TransactionVersion, ...TransactionVersion[]];
};

/**
 * Looks for the receipt of any version, broadcasts the newest one's stored bytes when there is
 * none, and waits a while. Without a receipt by then it looks for the cause, and the loop comes
 * back here.
 */
export async function waitForReceipt(
  under: Omit<Under, 'versions'>,
  sightings: Sightings,
  signal: AbortSignal,
): Promise<void> {
  const { deps, transaction, alerts, cargo } = under;
  const versions = cargo
    ? ([firstVersionOf(transaction)] as const)
    : await listVersions(deps.database.orm, transaction);
  const unresolved = { ...under, versions };
  let sighting: Sighting = cargo ? { kind: 'unmined' } : await look(deps.chain, versions);
  const answer = sighting.kind === 'unmined' ? await send(unresolved) : 'taken';
  const patienceMs = PATIENCE_MS[answer];
  const waitUntil = performance.now() + patienceMs;
  let pauseMs = FIRST_LOOK_MS;
  while (sighting.kind !== 'confirmed' && performance.now() < waitUntil && !signal.aborted) {
    await pause(pauseMs, signal);
    pauseMs = RECEIPT_POLL_MS;
    sighting = await look(deps.chain, versions);
  }
  if (sighting.kind === 'confirmed') {
    deps.checkpoint('chain.mined');
    const { receipt } = sighting;
    const carried = await resolveTransaction(deps, transaction, receipt, cargo);
    deps.checkpoint('chain.resolved');
    // Fills may have waited for it.
    if (under.role.kinds.includes('attest')) deps.work.ring('fill');
    await publishConfirmed(deps, { transaction, receipt, operations: carried });
    await alerts.clear('transaction_stuck');
  } else if (sighting.kind === 'unmined' && !signal.aborted) {
    const isChanged = await findCause(unresolved, sightings, answer);
    if (!isChanged && patienceMs === 0) await pause(REFUSED_PAUSE_MS, signal);
  }
}

async function send({ deps, transaction, versions, alerts }: Under): Promise<BroadcastResult> {
  const newest = versions.at(-1) ?? versions[0];
  const { answer, error } = await broadcast(deps.chain, newest.raw);
  deps.checkpoint('chain.broadcast');
  if (answer === 'unfunded') {
    await alerts.raise('operator_unfunded', `cannot pay for ${newest.hash}`);
  } else if (answer === 'taken') {
    await alerts.clear('operator_unfunded');
  } else {
    const { signer, nonce } = transaction;
    deps.log.debug({ err: error, answer, signer, nonce }, 'broadcast not taken');
  }
  return answer;
}

/**
 * Why it was not mined: its nonce is taken, one before it is missing, it offers too little, or it
 * takes its time.
 * @returns whether something was done about it
 */
async function findCause(
  under: Under,
  sightings: Sightings,
  answer: BroadcastResult,
): Promise<boolean> {
  const { deps, role, transaction, versions, alerts } = under;
  if (await isNonceTaken(deps.chain, transaction, sightings)) {
    await supersede(deps, transaction);
    deps.checkpoint('chain.superseded');
    return true;
  }
  if (await recheckMissing(deps, transaction)) return true;
  const newest = versions.at(-1) ?? versions[0];
  if (answer === 'underpriced' || newest.ageMs > REPLACE_AFTER_MS) {
    if (await replaceWhenUnderpriced(deps, role, transaction, newest, alerts)) return true;
  }
  if (versions[0].ageMs > STUCK_AFTER_MS && transaction.state === 'signed') {
    await alerts.raise('transaction_stuck', `${newest.hash}: ${answer}`);
  }
  return false;
}

async function isNonceTaken(
  chain: Chain,
  transaction: ChainTransaction,
  sightings: Sightings,
): Promise<boolean> {
  const head = await chain.client.getBlockNumber({ cacheTime: 0 });
  const settled = head - BigInt(chain.confirmations - 1);
  const next = await chain.client.getTransactionCount({
    address: transaction.signer as Address,
    blockNumber: settled > 0n ? settled : 0n,
  });
  const isTaken = BigInt(next) > transaction.nonce;
  if (!isTaken || sightings.transactionId !== transaction.id) {
    sightings.transactionId = transaction.id;
    delete sightings.nonceTakenSince;
  }
  if (!isTaken) return false;
  sightings.nonceTakenSince ??= performance.now();
  return performance.now() - sightings.nonceTakenSince >= NONCE_PROOF_MS;
}

async function look(chain: Chain, versions: readonly TransactionVersion[]): Promise<Sighting> {
  for (const { hash } of versions.toReversed()) {
    const receipt = await chain.client.request({
      method: 'eth_getTransactionReceipt',
      params: [hash],
    });
    if (!receipt) continue;
    if (chain.confirmations > 1) {
      const head = await chain.client.getBlockNumber({ cacheTime: 0 });
      const depth = head + 1n - BigInt(receipt.blockNumber);
      if (depth < BigInt(chain.confirmations)) return { kind: 'unconfirmed' };
    }
    return { kind: 'confirmed', receipt: formatTransactionReceipt(receipt) };
  }
  return { kind: 'unmined' };
}

/**
 * Signs and stores another version of a transaction when it offers too little to be mined: the
 * same call under the same nonce, for more. Nothing else may ever be signed for that nonce.
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
    await alerts.raise('transaction_stuck', `gas costs ${cost} gwei, more than we may pay`);
    return false;
  }
  const raw = await signAgain(role.account, newest.raw, raise.fees);
  await storeReplacement(deps.database.orm, transaction, raw);
  deps.checkpoint('chain.replacement_stored');
  deps.log.warn(
    {
      signer: transaction.signer,
      nonce: transaction.nonce,
      maxFeePerGas: raise.fees.maxFeePerGas.toString(),
    },
    'a transaction offered too little and is replaced',
  );
  return true;
}

/** Signs what was signed before, at other fees; nothing else can differ. */
export async function signAgain(account: ChainSigner, raw: Hex, fees: Fees): Promise<Hex> {
  const { to, data, gas, nonce, chainId } = parseTransaction(raw as `0x02${string}`);
  return await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    to,
    data,
    gas,
    ...fees,
  });
}

function feesOf(raw: Hex): Fees {
  const { maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(raw as `0x02${string}`);
  return { maxFeePerGas: maxFeePerGas ?? 0n, maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n };
}

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
      deps.queue,
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

/**
 * A transaction waits for ever when one before it is missing: a fork took it after it was confirmed,
 * and at the moment the chain was asked about it, it was still or already there. Such ones are taken
 * up again; one that turns out to be mined is only looked at once more.
 * @returns whether any was missing
 */
export async function recheckMissing(
  { database, chain, queue, log }: Pick<SignerDeps, 'database' | 'chain' | 'queue' | 'log'>,
  { signer, nonce }: Pick<ChainTransaction, 'signer' | 'nonce'>,
): Promise<boolean> {
  const next = BigInt(await chain.client.getTransactionCount({ address: signer as Address }));
  if (next >= nonce) return false;
  const before = await database.orm
    .select()
    .from(chainTransactions)
    .where(
      and(
        eq(chainTransactions.signer, signer),
        eq(chainTransactions.state, 'confirmed'),
        gte(chainTransactions.nonce, next),
        lt(chainTransactions.nonce, nonce),
      ),
    );
  const missing = await findGone(chain, before);
  if (missing.length === 0) return false;
  await database.orm.transaction(async (tx) => {
    const { orderIds } = await revertStates(tx, await forgetTransactions(tx, missing));
    await wakeOrders(tx, queue, orderIds);
  });
  log.warn({ signer, hashes: missing.map(({ hash }) => hash) }, 'the chain has forgotten these');
  return true;
}

/**
 * Tells metrics and traces of a transaction that was confirmed. It carries operations of several
 * intents, so each of their traces shows it. What cannot be told is no reason to stop.
 */
export async function publishConfirmed(
  deps: SignerDeps,
  confirmed: {
    transaction: ChainTransaction;
    receipt: TransactionReceipt;
    /** As they ended. */
    operations: readonly ChainOperation[];
  },
): Promise<void> {
  const { transaction, receipt, operations } = confirmed;
  try {
    const seconds = Math.max(0, Date.now() - transaction.signedAt.getTime()) / 1000;
    for (const { kind, state } of operations) observeTransaction(kind, state, seconds);
    if (!isTracing()) return;
    const { orders } = await loadOperationTargets(deps.database.orm, operations);
    for (const { kind, orderId, attempt, failure, createdAt } of operations) {
      noteSpan(`chain.transaction.${kind}`, orders.get(orderId)?.traceparent ?? null, {
        startTime: transaction.signedAt,
        attributes: {
          'crossbook.intent_id': orderId,
          'crossbook.attempt': attempt,
          'crossbook.waited_ms': transaction.signedAt.getTime() - createdAt.getTime(),
          'crossbook.operations': operations.length,
          'chain.transaction.hash': receipt.transactionHash,
          'chain.block.number': Number(receipt.blockNumber),
        },
        failure: failure ?? undefined,
      });
    }
  } catch (error) {
    deps.log.debug({ err: error, hash: receipt.transactionHash }, 'transaction not told');
  }
}
