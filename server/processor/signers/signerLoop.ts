import { randomUUID } from 'node:crypto';
import {
  findUnfinished,
  hasWork,
  holdSigner,
  registerSigner,
  releaseSigner,
} from '#server/chain/operations/store.ts';
import { KeyServiceError } from '#server/keys/keyService.ts';
import { pause } from '../pause.ts';
import { feesToOffer, readFeeMarket } from './fees.ts';
import { type Sightings, seeThrough } from './seeThrough.ts';
import { createSignerAlerts, type SignerAlerts } from './signerAlerts.ts';
import type { SignerDeps, SignerRole } from './signerDeps.ts';
import { signNext, type Turns } from './signTransaction.ts';

/** Between looks for operations that another process handed over. */
const IDLE_POLL_MS = 500;
const ERROR_PAUSE_MS = 1_000;
/** What a batch of some size may need. */
const USUAL_GAS = 5_000_000n;

/**
 * One key at work: one transaction in flight, its bytes stored before they are sent, seen through
 * to a confirmed receipt before the next is signed. Several processes may run the loop for the
 * same key; the lease lets one of them act.
 */
export async function runSigner(
  deps: SignerDeps,
  role: SignerRole,
  signal: AbortSignal,
): Promise<void> {
  const lease = { address: role.account.address, token: randomUUID() };
  const alerts = createSignerAlerts(deps, role.account.address);
  const sightings: Sightings = {};
  const turns: Turns = {};
  let isRegistered = false;
  let isHeld = false;
  while (!signal.aborted) {
    try {
      if (!isRegistered) await registerSigner(deps.database, lease.address);
      isRegistered = true;
      const isBusy = await hasWork(deps.database, lease.address, role.kinds);
      if (!isBusy) {
        await endAlerts(deps, role, alerts);
        // Whoever has work for the key next need not wait for the lease to end.
        if (isHeld) await releaseSigner(deps.database, lease);
        isHeld = false;
      }
      isHeld = isBusy && (await holdSigner(deps.database, lease));
      const worked = isHeld && (await work({ deps, role, alerts, sightings, turns, signal }));
      if (!worked) await deps.work.wait(role.kinds, IDLE_POLL_MS, signal);
    } catch (error) {
      deps.log.error({ err: error, signer: role.account.address }, 'signer stumbled');
      if (error instanceof KeyServiceError) await tellOf(error, alerts, deps);
      await pause(ERROR_PAUSE_MS, signal);
    }
  }
  await releaseSigner(deps.database, lease);
}

/** Nothing is lost: what is to be signed stays where it is, and is asked for again. */
async function tellOf(error: KeyServiceError, alerts: SignerAlerts, { log }: SignerDeps) {
  await alerts
    .raise('key_service_failing', error.message)
    .catch((cause: unknown) => log.debug({ err: cause }, 'alert not written'));
}

async function work(at: {
  deps: SignerDeps;
  role: SignerRole;
  alerts: SignerAlerts;
  sightings: Sightings;
  turns: Turns;
  signal: AbortSignal;
}): Promise<boolean> {
  const { deps, role, alerts } = at;
  const unfinished = await findUnfinished(deps.database.orm, role.account.address);
  const transaction = unfinished ?? (await signNext(deps, role, alerts, at.turns));
  if (!transaction) return false;
  await seeThrough({ deps, role, alerts, transaction }, at.sightings, at.signal);
  return true;
}

/** A key with nothing to do is not stuck; whether it is short of gas its balance says. */
async function endAlerts(deps: SignerDeps, role: SignerRole, alerts: SignerAlerts): Promise<void> {
  await alerts.clear('transaction_stuck');
  if (!alerts.mayBeOpen('operator_unfunded')) return;
  const [balanceWei, market] = await Promise.all([
    deps.chain.client.getBalance({ address: role.account.address }),
    readFeeMarket(deps.chain),
  ]);
  const fees = feesToOffer(market, deps.maxFeePerGas);
  if (fees && balanceWei > USUAL_GAS * fees.maxFeePerGas) await alerts.clear('operator_unfunded');
}
