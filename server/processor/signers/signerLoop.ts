import { randomUUID } from 'node:crypto';
import {
  findUnfinished,
  type KeyStanding,
  registerSigner,
  releaseSigner,
  type SignerLease,
  takeUpSigner,
} from '#server/chain/operations/store.ts';
import { KeyServiceError } from '#server/keys/keyService.ts';
import { pause } from '../pause.ts';
import { feesToOffer, readFeeMarket } from './fees.ts';
import { type Sightings, seeThrough } from './seeThrough.ts';
import { createSignerAlerts, type SignerAlerts } from './signerAlerts.ts';
import type { SignerDeps, SignerRole } from './signerDeps.ts';
import { type Fresh, signNext, type Turns } from './signTransaction.ts';

/** Between looks for operations that another process handed over. */
const IDLE_POLL_MS = 500;
const ERROR_PAUSE_MS = 1_000;
/** Time for another process to take a key that was left to it, before this one looks again. */
const YIELD_MS = 2 * IDLE_POLL_MS;
/** Before the next attestation, where many wait for one: it costs as much for a few of them. */
const GATHER_MS = 150;
const MUCH = 8;
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
      const standing = await takeUpSigner(deps.database, lease, role.kinds, deps.keysHeld.size);
      const { isDue, isUnfinished } = standing;
      if (!isDue) await endAlerts(deps, role, alerts);
      // Whoever has work for the key next need not wait for the lease to end.
      if (!isDue && isHeld) await releaseSigner(deps.database, lease);
      isHeld = noteHeld(deps, lease, standing.isHeld);
      if (isToBeLeft(standing, deps.keysHeld.size)) {
        isHeld = noteHeld(deps, lease, false);
        await releaseSigner(deps.database, lease);
        await pause(YIELD_MS, signal);
        continue;
      }
      const at = { deps, role, alerts, sightings, turns, signal };
      const worked = isHeld && (await work(at, isUnfinished));
      if (worked) continue;
      // Who has the key looks for more by itself.
      if (isDue && !isHeld) await pause(IDLE_POLL_MS, signal);
      else await deps.work.wait(role.kinds, IDLE_POLL_MS, signal);
    } catch (error) {
      deps.log.error({ err: error, signer: role.account.address }, 'signer failed');
      if (error instanceof KeyServiceError) await tellOf(error, alerts, deps);
      await pause(ERROR_PAUSE_MS, signal);
    }
  }
  noteHeld(deps, lease, false);
  await releaseSigner(deps.database, lease);
}

function noteHeld({ keysHeld }: SignerDeps, { address }: SignerLease, isHeld: boolean): boolean {
  if (isHeld) keysHeld.add(address);
  else keysHeld.delete(address);
  return isHeld;
}

/** One process does not sign with all the keys while another, which has fewer, stands idle. */
function isToBeLeft(
  { isHeld, isUnfinished, wantedHolding }: KeyStanding,
  holding: number,
): boolean {
  return isHeld && !isUnfinished && wantedHolding !== null && holding - wantedHolding >= 2;
}

/** Nothing is lost: what is to be signed stays where it is, and is asked for again. */
async function tellOf(error: KeyServiceError, alerts: SignerAlerts, { log }: SignerDeps) {
  await alerts
    .raise('key_service_failing', error.message)
    .catch((cause: unknown) => log.debug({ err: cause }, 'alert not written'));
}

type At = {
  deps: SignerDeps;
  role: SignerRole;
  alerts: SignerAlerts;
  sightings: Sightings;
  turns: Turns;
  signal: AbortSignal;
};

async function work(at: At, isUnfinished: boolean): Promise<boolean> {
  const { deps, role, alerts, sightings, signal } = at;
  const transaction = isUnfinished
    ? await findUnfinished(deps.database.orm, role.account.address)
    : undefined;
  if (transaction) {
    await seeThrough({ deps, role, alerts, transaction }, sightings, signal);
    return true;
  }
  const fresh = await signNext(deps, role, alerts, at.turns);
  if (!fresh) return false;
  await seeThrough({ deps, role, alerts, ...fresh }, sightings, signal);
  if (isGathering(role, fresh)) await pause(GATHER_MS, signal);
  return true;
}

/** One attestation says it for any number of deliveries, and those under way wait for their turn. */
function isGathering({ kinds }: SignerRole, { cargo }: Fresh): boolean {
  return kinds.includes('attest') && cargo.operations.length >= MUCH;
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
