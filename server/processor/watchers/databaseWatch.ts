import { raiseAlert, resolveAlert } from '#server/domain/admin/alerts.ts';
import type { Config } from '#server/platform/config/config.ts';
import { findLossOnFailover } from '#server/platform/database/failover.ts';
import { repeat } from '#server/platform/process/repeat.ts';
import type { Runtime } from '#server/runtime.ts';

const CHECK_MS = 10_000;

/**
 * Keeps the alert `database_unprotected` open while the settings of a cluster let a failover lose
 * acknowledged orders: they can change while processes run.
 */
export async function watchDatabase(
  deps: Pick<Runtime, 'database' | 'log'> & { config: Pick<Config, 'database'> },
  signal: AbortSignal,
): Promise<void> {
  if (deps.config.database.failover !== 'synchronous') return;
  const check = async () => {
    const internalDetail = await findLossOnFailover(deps.database);
    const alert = { kind: 'database_unprotected' } as const;
    if (internalDetail === undefined) await resolveAlert(deps, alert);
    else await raiseAlert(deps, { ...alert, internalDetail });
  };
  const heldUp = 'the replication of the database could not be checked';
  await repeat(CHECK_MS, check, { log: deps.log, heldUp, signal });
}
