import type { Address } from 'viem';
import { countStoredNonces } from '#server/chain/operations/store.ts';
import { raiseAlert, resolveAlert } from '#server/domain/admin/alerts.ts';
import { pollUntilAborted } from '../runner/polling.ts';
import type { ProcessorDeps } from '../runner/stepDeps.ts';
import type { SignerRole } from '../signers/signer.ts';
import { hasItsRoles } from '../signers/signer.ts';

type Deps = Pick<ProcessorDeps, 'database' | 'chain' | 'log'>;

const POLL_MS = 5_000;

/**
 * Detects foreign transactions of our keys: bytes are stored before they are sent, so an unknown
 * nonce was used by another holder of the key. Nonces used before the watch began count as ours; a
 * separate check detects a restored database. A key that has lost its role is reported too, before
 * it fails.
 */
export async function watchKeys(
  deps: Deps,
  roles: () => readonly SignerRole[],
  signal: AbortSignal,
): Promise<void> {
  const known = new Map<Address, bigint>();
  const pauses = { pollMs: POLL_MS, errorPauseMs: POLL_MS };
  const failure = 'key use cannot be checked';
  await pollUntilAborted({ log: deps.log, signal, ...pauses, failure, level: 'warn' }, async () => {
    for (const role of roles()) {
      await checkNonces(deps, role.account.address, known);
      await checkRole(deps, role);
    }
    return false;
  });
}

async function checkNonces(deps: Deps, key: Address, known: Map<Address, bigint>): Promise<void> {
  // Reads the chain first: a transaction sent between the two reads is stored by then.
  const onChain = BigInt(await deps.chain.client.getTransactionCount({ address: key }));
  const before = known.get(key) ?? onChain;
  known.set(key, onChain);
  if (onChain <= before) return;
  // Checks the whole range: a foreign nonce below the latest stored one leaves a gap.
  const stored = await countStoredNonces(deps.database.orm, key, { from: before, to: onChain });
  const others = onChain - before - stored;
  if (others <= 0n) return;
  const internalDetail = `of the nonces ${before} to ${onChain - 1n}, ${others} were not used by us`;
  await raiseAlert(deps, { kind: 'key_used_elsewhere', subject: key, internalDetail });
}

async function checkRole(deps: Deps, role: SignerRole): Promise<void> {
  const alert = { kind: 'key_refused', subject: role.account.address } as const;
  if (await hasItsRoles(deps.chain, role)) await resolveAlert(deps, alert);
  else await raiseAlert(deps, { ...alert, internalDetail: 'it lacks its role at the vault' });
}
