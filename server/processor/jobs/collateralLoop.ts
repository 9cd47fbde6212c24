import { type AllocationDeps, allocateCollateral } from '#server/domain/collateral/allocate.ts';
import { takeTurn } from '#server/platform/database/turns.ts';
import { pollUntilAborted } from '../runner/polling.ts';

const EVERY_MS = 1_000;
/** Without targets the balances are only shown. */
const EVERY_MS_WITHOUT_TARGETS = 10_000;

/** Keeps the configured cash on each shard of the exchange, in one of the processors at a time. */
export async function runCollateralLoop(deps: AllocationDeps, signal: AbortSignal): Promise<void> {
  const { database, log, shardTargets } = deps;
  const everyMs = shardTargets.length === 0 ? EVERY_MS_WITHOUT_TARGETS : EVERY_MS;
  const failure = 'allocation of cash to shards failed';
  const options = { log, signal, pollMs: everyMs / 2, errorPauseMs: 3_000, failure };
  await pollUntilAborted(options, async () => {
    if (await takeTurn(database.orm, 'allocate cash', everyMs)) await allocateCollateral(deps);
    return false;
  });
}
