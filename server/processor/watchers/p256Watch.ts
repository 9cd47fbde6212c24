import type { Chain } from '#server/chain/client.ts';
import { hasP256Check } from '#server/chain/p256Check.ts';
import { type AlertDeps, raiseAlert, resolveAlert } from '#server/domain/admin/alerts.ts';
import { repeat } from '#server/platform/process/repeat.ts';

const CHECK_MS = 60_000;

type P256Deps = AlertDeps & { chain: Pick<Chain, 'client'> };

/**
 * Keeps the alert `p256_check_missing` open while the chain does not check P-256 signatures itself:
 * accounts then refuse orders that a device signed, and passkeys are checked at many times the gas.
 */
export async function watchP256(deps: P256Deps, signal: AbortSignal): Promise<void> {
  const heldUp = 'the chain’s check of P-256 signatures could not be tried';
  await repeat(CHECK_MS, () => checkP256(deps), { log: deps.log, heldUp, signal });
}

/** One round of it. */
export async function checkP256(deps: P256Deps): Promise<void> {
  const alert = { kind: 'p256_check_missing' } as const;
  if (await hasP256Check(deps.chain)) await resolveAlert(deps, alert);
  else await raiseAlert(deps, { ...alert, internalDetail: 'no precompile at 0x100' });
}
