import { randomUUID } from 'node:crypto';
import type { Address } from 'viem';
import {
  acquireSigner,
  holdSigner,
  type KeyClaim,
  registerSigner,
  releaseSigner,
  type SignerLease,
} from '#server/chain/operations/signerLeases.ts';
import { findUnfinished } from '#server/chain/operations/store.ts';
import { listAbandonedSigners } from '#server/chain/operations/transactions.ts';
import type { ChainSigner } from '#server/platform/keys/chainSigner.ts';
import { KeyServiceError } from '#server/platform/keys/keyService.ts';
import { pause, pollUntilAborted } from '../runner/polling.ts';
import { feesToOffer, readFeeMarket } from './sendTransaction.ts';
import {
  createSignerAlerts,
  type SignerAlerts,
  type SignerDeps,
  type SignerRole,
} from './signer.ts';
import { type LastServed, type SignedTransaction, signNext } from './signTransaction.ts';
import { type NonceWatch, waitForReceipt } from './trackTransaction.ts';

/** Between attempts to take a key that another process holds. */
const HELD_POLL_MS = 500;
/** `watchDueWork` rings earlier. */
const IDLE_POLL_MS = 5_000;
const ERROR_PAUSE_MS = 1_000;
/** Time for another process to take a released key, before this one polls again. */
const YIELD_MS = 2 * HELD_POLL_MS;
/** Pause before the next attestation while many orders wait: it costs the same for any number. */
const GATHER_MS = 150;
const LARGE_BATCH = 8;
const TYPICAL_GAS = 5_000_000n;

/**
 * Runs one key: one transaction in flight, its bytes stored before they are sent, tracked to a
 * confirmed receipt before the next is signed. Several processes may run the loop for the same key;
 * the lease admits one.
 */
export async function runSigner(
  deps: SignerDeps,
  role: SignerRole,
  signal: AbortSignal,
): Promise<void> {
  const lease = { address: role.account.address, token: randomUUID() };
  const alerts = createSignerAlerts(deps, role.account.address);
  const nonceWatch: NonceWatch = {};
  const lastServed: LastServed = {};
  let isRegistered = false;
  let isHeld = false;
  while (!signal.aborted) {
    try {
      if (!isRegistered) await registerSigner(deps.database, lease.address);
      isRegistered = true;
      const claim = await acquireSigner(deps.database, lease, role.kinds, deps.keysHeld.size);
      const { isDue, isUnfinished } = claim;
      if (!isDue) await endAlerts(deps, role, alerts);
      // The next process need not wait for the lease to expire.
      if (!isDue && isHeld) await releaseSigner(deps.database, lease);
      isHeld = recordHeld(deps, lease, claim.isHeld);
      if (shouldYieldKey(claim, deps.keysHeld.size)) {
        isHeld = recordHeld(deps, lease, false);
        await releaseSigner(deps.database, lease);
        await pause(YIELD_MS, signal);
        continue;
      }
      const at = { deps, role, alerts, nonceWatch, lastServed, signal };
      const worked = isHeld && (await work(at, isUnfinished));
      if (worked) continue;
      // The holder of the key polls for further work itself.
      if (isDue && !isHeld) await pause(HELD_POLL_MS, signal);
      else await deps.work.wait([...role.kinds, lease.address], IDLE_POLL_MS, signal);
    } catch (error) {
      deps.log.error({ err: error, signer: role.account.address }, 'signer failed');
      if (error instanceof KeyServiceError) await raiseKeyServiceAlert(error, alerts, deps);
      await pause(ERROR_PAUSE_MS, signal);
    }
  }
  recordHeld(deps, lease, false);
  await releaseSigner(deps.database, lease);
}

function recordHeld({ keysHeld }: SignerDeps, { address }: SignerLease, isHeld: boolean): boolean {
  if (isHeld) keysHeld.add(address);
  else keysHeld.delete(address);
  return isHeld;
}

/** Balances keys between processes, so that none idles while another holds all. */
function shouldYieldKey(
  { isHeld, isUnfinished, requesterKeyCount }: KeyClaim,
  holding: number,
): boolean {
  return isHeld && !isUnfinished && requesterKeyCount !== null && holding - requesterKeyCount >= 2;
}

/** Nothing is lost: the operations stay queued and are signed later. */
async function raiseKeyServiceAlert(
  error: KeyServiceError,
  alerts: SignerAlerts,
  { log }: SignerDeps,
) {
  await alerts
    .raise('key_service_failing', error.message)
    .catch((cause: unknown) => log.debug({ err: cause }, 'alert not written'));
}

type WorkContext = {
  deps: SignerDeps;
  role: SignerRole;
  alerts: SignerAlerts;
  nonceWatch: NonceWatch;
  lastServed: LastServed;
  signal: AbortSignal;
};

async function work(at: WorkContext, isUnfinished: boolean): Promise<boolean> {
  const { deps, role, alerts, nonceWatch, signal } = at;
  const transaction = isUnfinished
    ? await findUnfinished(deps.database.orm, role.account.address)
    : undefined;
  if (transaction) {
    await waitForReceipt({ deps, role, alerts, transaction }, nonceWatch, signal);
    return true;
  }
  const signed = await signNext(deps, role, alerts, at.lastServed);
  if (!signed) return false;
  await waitForReceipt({ deps, role, alerts, ...signed }, nonceWatch, signal);
  if (isGathering(role, signed)) await pause(GATHER_MS, signal);
  return true;
}

/** One attestation covers any number of deliveries, so it waits for those that arrive meanwhile. */
function isGathering({ kinds }: SignerRole, { contents }: SignedTransaction): boolean {
  return kinds.includes('attest') && contents.operations.length >= LARGE_BATCH;
}

/** An idle key is not stuck; its balance shows whether it is short of gas. */
async function endAlerts(deps: SignerDeps, role: SignerRole, alerts: SignerAlerts): Promise<void> {
  await alerts.clear('transaction_stuck');
  if (!alerts.mayBeOpen('operator_unfunded')) return;
  const [balanceWei, market] = await Promise.all([
    deps.chain.client.getBalance({ address: role.account.address }),
    readFeeMarket(deps.chain),
  ]);
  const fees = feesToOffer(market, deps.maxFeePerGas);
  if (fees && balanceWei > TYPICAL_GAS * fees.maxFeePerGas) await alerts.clear('operator_unfunded');
}

const POLL_MS = 5_000;

/**
 * Finishes transactions of keys that are no longer configured: their bytes are stored, so sending
 * them and reading the receipt needs no key. Signs nothing new.
 */
export async function finishAbandoned(
  deps: SignerDeps,
  ours: () => readonly Address[],
  signal: AbortSignal,
): Promise<void> {
  const watches = new Map<Address, NonceWatch>();
  const pauses = { pollMs: POLL_MS, errorPauseMs: POLL_MS };
  const failure = 'a transaction of a previous key cannot be completed';
  await pollUntilAborted({ log: deps.log, signal, ...pauses, failure }, async () => {
    for (const signer of await listAbandonedSigners(deps.database, ours())) {
      const nonceWatch = watches.get(signer) ?? {};
      watches.set(signer, nonceWatch);
      await finish(deps, signer, nonceWatch, signal);
    }
    return false;
  });
}

async function finish(
  deps: SignerDeps,
  signer: Address,
  nonceWatch: NonceWatch,
  signal: AbortSignal,
): Promise<void> {
  const lease = { address: signer, token: randomUUID() };
  const transaction = await findUnfinished(deps.database.orm, signer);
  if (!transaction || !(await holdSigner(deps.database, lease))) return;
  deps.log.info(
    { signer, nonce: transaction.nonce.toString() },
    'completing transactions of a previous key',
  );
  try {
    const role = { account: signerWithoutKey(signer), kinds: [] };
    const alerts = createSignerAlerts(deps, signer);
    await waitForReceipt({ deps, role, alerts, transaction }, nonceWatch, signal);
  } finally {
    await releaseSigner(deps.database, lease);
  }
}

function signerWithoutKey(address: Address): ChainSigner {
  return {
    address,
    signTransaction: () =>
      Promise.reject(new KeyServiceError('refused', `the key of ${address} is not configured`)),
  };
}
