import { type Address, formatTransactionReceipt, type TransactionReceipt } from 'viem';
import { maxMicros } from '#lib/money.ts';
import type { Chain } from '#server/chain/client.ts';
import type { ChainOperation, ChainTransaction } from '#server/chain/operations/store.ts';
import {
  firstVersionOf,
  listVersions,
  type TransactionVersion,
} from '#server/chain/operations/transactions.ts';
import { observeTransaction } from '#server/platform/metrics/orders.ts';
import { isTracing, recordSpan } from '#server/platform/tracing/spans.ts';
import { pause } from '../runner/polling.ts';
import {
  recheckMissing,
  recheckStored,
  replaceWhenUnderpriced,
  supersede,
} from './recoverTransaction.ts';
import { resolveTransaction } from './resolveTransaction.ts';
import { type BroadcastResult, broadcast } from './sendTransaction.ts';
import type { SignerAlerts, SignerDeps, SignerRole } from './signer.ts';
import { loadOperationTargets, type TransactionContents } from './transactionContents.ts';
import { causesOfDelay } from './transactionLife.ts';

const RECEIPT_POLL_MS = 40;
/** Before the first poll: a node that mines at once has the receipt by then. */
const FIRST_POLL_MS = 5;
/**
 * How long to wait for a receipt before anything else. Less than the signer's lease, so that it is
 * renewed in time; zero for transactions that the node does not accept.
 */
const RECEIPT_WAIT_MS: Record<BroadcastResult, number> = {
  taken: 2_000,
  no_response: 500,
  refused: 500,
  unfunded: 500,
  underpriced: 0,
  nonce_used: 0,
};
/** Pause before a rejected transaction is sent again. */
const REFUSED_PAUSE_MS = 1_000;

/** This process's observations of the transaction in flight; losing them only costs time. */
export type NonceWatch = { transactionId?: string; nonceTakenSince?: number };

type ReceiptState =
  | { kind: 'unmined' }
  /** In a block that may still be removed. */
  | { kind: 'unconfirmed' }
  | { kind: 'confirmed'; receipt: TransactionReceipt };

type Tracked = {
  deps: SignerDeps;
  role: SignerRole;
  alerts: SignerAlerts;
  transaction: ChainTransaction;
  /**
   * Set for a transaction that this run has signed: no other process can have sent or replaced it.
   */
  contents?: TransactionContents | undefined;
  versions: readonly [TransactionVersion, ...TransactionVersion[]];
};

/**
 * Checks for the receipt of any version, broadcasts the newest version when there is none, and
 * waits a while. Without a receipt by then it determines the cause, and the loop returns here.
 */
export async function waitForReceipt(
  tracked: Omit<Tracked, 'versions'>,
  nonceWatch: NonceWatch,
  signal: AbortSignal,
): Promise<void> {
  const { deps, transaction, alerts, contents } = tracked;
  const versions = contents
    ? ([firstVersionOf(transaction)] as const)
    : await listVersions(deps.database.orm, transaction);
  const unresolved = { ...tracked, versions };
  let receiptState: ReceiptState = contents
    ? { kind: 'unmined' }
    : await findReceipt(deps.chain, versions);
  const response = receiptState.kind === 'unmined' ? await send(unresolved) : 'taken';
  const waitMs = RECEIPT_WAIT_MS[response];
  const waitUntil = performance.now() + waitMs;
  let pauseMs = FIRST_POLL_MS;
  while (receiptState.kind !== 'confirmed' && performance.now() < waitUntil && !signal.aborted) {
    await pause(pauseMs, signal);
    pauseMs = RECEIPT_POLL_MS;
    receiptState = await findReceipt(deps.chain, versions);
  }
  if (receiptState.kind === 'confirmed') {
    deps.checkpoint('chain.mined');
    const { receipt } = receiptState;
    const operations = await resolveTransaction(deps, transaction, receipt, contents);
    deps.checkpoint('chain.resolved');
    // Fills may have waited for it.
    if (tracked.role.kinds.includes('attest')) deps.work.ring('fill');
    await recheckStored(deps, transaction, receipt);
    await publishConfirmed(deps, { transaction, receipt, operations });
    await alerts.clear('transaction_stuck');
  } else if (receiptState.kind === 'unmined' && !signal.aborted) {
    const isChanged = await handleUnmined(unresolved, nonceWatch, response);
    if (!isChanged && waitMs === 0) await pause(REFUSED_PAUSE_MS, signal);
  }
}

async function send({ deps, transaction, versions, alerts }: Tracked): Promise<BroadcastResult> {
  const newest = versions.at(-1) ?? versions[0];
  const { response, error } = await broadcast(deps.chain, newest.raw);
  deps.checkpoint('chain.broadcast');
  if (response === 'unfunded') {
    await alerts.raise('operator_unfunded', `cannot pay for ${newest.hash}`);
  } else if (response === 'taken') {
    await alerts.clear('operator_unfunded');
  } else {
    const { signer, nonce } = transaction;
    deps.log.debug({ err: error, response, signer, nonce }, 'broadcast not taken');
  }
  return response;
}

/**
 * Acts on the cause of the delay.
 * @returns whether it did anything
 */
async function handleUnmined(
  tracked: Tracked,
  nonceWatch: NonceWatch,
  broadcastResult: BroadcastResult,
): Promise<boolean> {
  const { deps, role, transaction, versions, alerts } = tracked;
  const newest = versions.at(-1) ?? versions[0];
  const causes = causesOfDelay({
    ...(await readNonces(deps.chain, transaction, nonceWatch)),
    nonce: transaction.nonce,
    broadcastResult,
    firstAgeMs: versions[0].ageMs,
    newestAgeMs: newest.ageMs,
    isFirstConfirmation: transaction.state === 'signed',
  });
  for (const cause of causes) {
    switch (cause) {
      case 'nonce_taken':
        await supersede(deps, transaction);
        deps.checkpoint('chain.superseded');
        return true;
      case 'predecessor_missing':
        if (await recheckMissing(deps, transaction)) return true;
        break;
      case 'underpriced':
        if (await replaceWhenUnderpriced(deps, role, transaction, newest, alerts)) return true;
        break;
      case 'stuck':
        await alerts.raise('transaction_stuck', `${newest.hash}: ${broadcastResult}`);
    }
  }
  return false;
}

/** The key's next nonce in confirmed blocks and in the newest, and how long ours was used. */
async function readNonces(
  chain: Chain,
  transaction: ChainTransaction,
  nonceWatch: NonceWatch,
): Promise<{ nextNonce: bigint; nonceTakenForMs: number | undefined }> {
  const address = transaction.signer as Address;
  const head = await chain.client.getBlockNumber({ cacheTime: 0 });
  const blockNumber = maxMicros(head - BigInt(chain.confirmations - 1), 0n);
  const [confirmedCount, nextNonce] = await Promise.all([
    chain.client.getTransactionCount({ address, blockNumber }),
    chain.client.getTransactionCount({ address }),
  ]);
  const isTaken = BigInt(confirmedCount) > transaction.nonce;
  if (!isTaken || nonceWatch.transactionId !== transaction.id) {
    nonceWatch.transactionId = transaction.id;
    delete nonceWatch.nonceTakenSince;
  }
  if (isTaken) nonceWatch.nonceTakenSince ??= performance.now();
  const since = nonceWatch.nonceTakenSince;
  return {
    nextNonce: BigInt(nextNonce),
    nonceTakenForMs: since === undefined ? undefined : performance.now() - since,
  };
}

async function findReceipt(
  chain: Chain,
  versions: readonly TransactionVersion[],
): Promise<ReceiptState> {
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
 * Publishes a confirmed transaction to metrics and traces. It carries operations of several orders,
 * so each of their traces shows it. Failures are only logged.
 */
async function publishConfirmed(
  deps: SignerDeps,
  confirmed: {
    transaction: ChainTransaction;
    receipt: TransactionReceipt;
    /** With their outcomes. */
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
      recordSpan(`chain.transaction.${kind}`, orders.get(orderId)?.traceparent ?? null, {
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
    deps.log.debug({ err: error, hash: receipt.transactionHash }, 'transaction not published');
  }
}
