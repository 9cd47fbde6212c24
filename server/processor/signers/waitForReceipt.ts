import { type Address, formatTransactionReceipt, type TransactionReceipt } from 'viem';
import type { Chain } from '#server/chain/client.ts';
import type { ChainTransaction } from '#server/chain/operations/store.ts';
import {
  firstVersionOf,
  listVersions,
  type TransactionVersion,
} from '#server/chain/operations/versions.ts';
import { pause } from '../runner/pause.ts';
import { type BroadcastResult, broadcast } from './broadcast.ts';
import type { Cargo } from './operationTargets.ts';
import { publishConfirmed } from './publishConfirmed.ts';
import { recheckMissing } from './recheckMissing.ts';
import { replaceWhenUnderpriced } from './replace.ts';
import { resolveTransaction } from './resolveTransaction.ts';
import type { SignerAlerts } from './signerAlerts.ts';
import type { SignerDeps, SignerRole } from './signerDeps.ts';
import { supersede } from './supersede.ts';

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
