import { type AllocationDeps, allocateCollateral } from '#server/domain/collateral/allocate.ts';
import { takeAllocationTurn } from '#server/domain/collateral/transferStore.ts';
import { pollUntilAborted } from '../runner/polling.ts';

const EVERY_SECONDS = 1;
/** Without targets the balances are only shown. */
const EVERY_SECONDS_WITHOUT_TARGETS = 10;

/** Keeps the configured cash on each shard of the exchange, in one of the processors at a time. */
export async function runCollateralLoop(deps: AllocationDeps, signal: AbortSignal): Promise<void> {
  const { database, log, shardTargets } = deps;
  const everySeconds = shardTargets.length === 0 ? EVERY_SECONDS_WITHOUT_TARGETS : EVERY_SECONDS;
  const failure = 'allocation of cash to shards failed';
  const options = { log, signal, pollMs: everySeconds * 500, errorPauseMs: 3_000, failure };
  await pollUntilAborted(options, async () => {
    if (await takeAllocationTurn(database.orm, everySeconds)) await allocateCollateral(deps);
    return false;
  });
}
