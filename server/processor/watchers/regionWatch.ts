import { listAlerts, raiseAlert, resolveAlert } from '#server/domain/admin/alerts.ts';
import type { Exchange, RegionAttestation } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { pollUntilAborted } from '../runner/polling.ts';

type Deps = {
  database: Database;
  exchange: Pick<Exchange, 'getRegionAttestation'>;
  log: Log;
};

const POLL_MS = 30 * 60_000;
/** An admin needs time to attest the location again. */
const WARN_BEFORE_MS = 28 * 86_400_000;

/**
 * Watches the exchange account's location attestation: alerts four weeks before it expires, and once
 * it has, for each category that the account can no longer trade.
 */
export async function watchRegion(deps: Deps, signal: AbortSignal): Promise<void> {
  const pauses = { pollMs: POLL_MS, errorPauseMs: POLL_MS };
  const failure = 'the location attestation at the exchange cannot be checked';
  await pollUntilAborted({ log: deps.log, signal, ...pauses, failure, level: 'warn' }, async () => {
    await checkRegion(deps, new Date());
    return false;
  });
}

export async function checkRegion(deps: Deps, now: Date): Promise<void> {
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
