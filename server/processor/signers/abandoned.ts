import { randomUUID } from 'node:crypto';
import type { Address } from 'viem';
import { listAbandonedSigners } from '#server/chain/operations/orphans.ts';
import { findUnfinished, holdSigner, releaseSigner } from '#server/chain/operations/store.ts';
import type { ChainSigner } from '#server/keys/chainSigner.ts';
import { KeyServiceError } from '#server/keys/keyService.ts';
import { pause } from '../pause.ts';
import { type Sightings, seeThrough } from './seeThrough.ts';
import { createSignerAlerts } from './signerAlerts.ts';
import type { SignerDeps } from './signerDeps.ts';

const LOOK_MS = 5_000;

/**
 * Brings the transactions of keys to their end that nobody is configured with any more: their bytes
 * are stored, so sending them and reading the receipt needs no key. Nothing new is signed.
 */
export async function finishAbandoned(
  deps: SignerDeps,
  ours: () => readonly Address[],
  signal: AbortSignal,
): Promise<void> {
  const seen = new Map<Address, Sightings>();
  while (!signal.aborted) {
    try {
      for (const signer of await listAbandonedSigners(deps.database, ours())) {
        const sightings = seen.get(signer) ?? {};
        seen.set(signer, sightings);
        await finish(deps, signer, sightings, signal);
      }
    } catch (error) {
      deps.log.error({ err: error }, 'a transaction of a previous key cannot be completed');
    }
    await pause(LOOK_MS, signal);
  }
}

async function finish(
  deps: SignerDeps,
  signer: Address,
  sightings: Sightings,
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
    const role = { account: keyless(signer), kinds: [] };
    const alerts = createSignerAlerts(deps, signer);
    await seeThrough({ deps, role, alerts, transaction }, sightings, signal);
  } finally {
    await releaseSigner(deps.database, lease);
  }
}

function keyless(address: Address): ChainSigner {
  return {
    address,
    signTransaction: () =>
      Promise.reject(new KeyServiceError('refused', `the key of ${address} is not configured`)),
  };
}
