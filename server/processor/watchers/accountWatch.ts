import { listAlerts, raiseAlert, resolveAlert } from '#server/domain/admin/alerts.ts';
import type { Exchange, RegionAttestation } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { pollUntilAborted } from '../runner/polling.ts';

type AlertDeps = { database: Database; log: Log };
type RegionDeps = AlertDeps & { exchange: Pick<Exchange, 'getRegionAttestation'> };
type AllocationDeps = AlertDeps & {
  config: { shardTargets: readonly unknown[] };
  exchange: Pick<Exchange, 'isAllocatedByExchange'>;
};

const POLL_MS = 30 * 60_000;
/** An admin needs time to attest the location again. */
const WARN_BEFORE_MS = 28 * 86_400_000;

/** Watches settings of the exchange account that stop or disturb trading. */
export async function watchExchangeAccount(
  deps: RegionDeps & AllocationDeps,
  signal: AbortSignal,
): Promise<void> {
  const pauses = { pollMs: POLL_MS, errorPauseMs: POLL_MS };
  const failure = 'the account at the exchange cannot be checked';
  await pollUntilAborted({ log: deps.log, signal, ...pauses, failure, level: 'warn' }, async () => {
    // Both run, even if one fails.
    await Promise.all([checkAllocation(deps), checkRegion(deps, new Date())]);
    return false;
  });
}

/** Two allocations with different targets would move the same cash to and fro. */
export async function checkAllocation(deps: AllocationDeps): Promise<void> {
  const kind = 'exchange_allocation';
  const isOurs = deps.config.shardTargets.length > 0;
  if (isOurs && (await deps.exchange.isAllocatedByExchange())) await raiseAlert(deps, { kind });
  else await resolveAlert(deps, { kind });
}

/**
 * Alerts four weeks before the location attestation expires, and once it has, for each category that
 * the account can no longer trade.
 */
export async function checkRegion(deps: RegionDeps, now: Date): Promise<void> {
  const attestation = await deps.exchange.getRegionAttestation();
  const { isExpiring, expired } = alertsFor(attestation, now);
  const internalDetail = `expires ${attestation?.expiresAt.toISOString() ?? 'never'}`;
  if (isExpiring) await raiseAlert(deps, { kind: 'exchange_region_expiring', internalDetail });
  else await resolveAlert(deps, { kind: 'exchange_region_expiring' });
  const kind = 'exchange_region_expired';
  for (const subject of expired) await raiseAlert(deps, { kind, subject, internalDetail });
  for (const { subject } of await listAlerts(deps, { kind })) {
    if (!expired.includes(subject)) await resolveAlert(deps, { kind, subject });
  }
}

function alertsFor(attestation: RegionAttestation | undefined, now: Date) {
  if (!attestation) return { isExpiring: false, expired: [] };
  const leftMs = attestation.expiresAt.getTime() - now.getTime();
  return {
    isExpiring: leftMs > 0 && leftMs <= WARN_BEFORE_MS,
    expired: leftMs > 0 ? [] : attestation.categories,
  };
}
