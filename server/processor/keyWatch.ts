import type { Address } from 'viem';
import { raiseAlert, resolveAlert } from '#server/alerts/alerts.ts';
import type { Chain } from '#server/chain/client.ts';
import { nextStoredNonce } from '#server/chain/operations/store.ts';
import type { Database } from '#server/db/client.ts';
import type { Log } from '#server/log.ts';
import { pause } from './pause.ts';
import { holdsItsRole } from './signers/keyRole.ts';
import type { SignerRole } from './signers/signerDeps.ts';

type Deps = { database: Database; chain: Chain; log: Log };

const LOOK_MS = 5_000;

/**
 * Watches for transactions that our keys have sent and we have not: bytes are stored before they
 * leave, so a nonce beyond what is stored was used by somebody else who has the key. What the chain
 * knew when the watch began counts as ours; a restored database is noticed elsewhere. A key that
 * has lost its role is told of as well, before it has work to refuse.
 */
export async function watchKeys(
  deps: Deps,
  roles: () => readonly SignerRole[],
  signal: AbortSignal,
): Promise<void> {
  const known = new Map<Address, bigint>();
  while (!signal.aborted) {
    try {
      for (const role of roles()) {
        await lookForOthers(deps, role.account.address, known);
        await lookForRole(deps, role);
      }
    } catch (error) {
      deps.log.warn({ err: error }, 'the use of our keys cannot be seen');
    }
    await pause(LOOK_MS, signal);
  }
}

async function lookForOthers(deps: Deps, key: Address, known: Map<Address, bigint>): Promise<void> {
  // The chain first: what is sent between the two questions is stored by then.
  const onChain = BigInt(await deps.chain.client.getTransactionCount({ address: key }));
  const stored = await nextStoredNonce(deps.database.orm, key);
  const before = known.get(key);
  known.set(key, onChain);
  if (before === undefined || onChain <= stored || onChain <= before) return;
  const internalDetail = `nonce ${onChain - 1n} is used, and we have signed up to ${stored - 1n}`;
  await raiseAlert(deps, { kind: 'key_used_elsewhere', subject: key, internalDetail });
}

async function lookForRole(deps: Deps, role: SignerRole): Promise<void> {
  const alert = { kind: 'key_refused', subject: role.account.address } as const;
  if (await holdsItsRole(deps.chain, role)) await resolveAlert(deps, alert);
  else {
    const internalDetail = 'the vault does not know it in its role';
    await raiseAlert(deps, { ...alert, internalDetail });
  }
}
