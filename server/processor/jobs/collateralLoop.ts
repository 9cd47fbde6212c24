import { type AllocationDeps, allocateCollateral } from '#server/domain/collateral/allocate.ts';
import { takeAllocationTurn } from '#server/domain/collateral/transferStore.ts';
import { pause } from '../runner/pause.ts';

const POLL_MS = 500;
const EVERY_SECONDS = 1;
/** Without targets the balances are only shown. */
const EVERY_SECONDS_WITHOUT_TARGETS = 10;
const ERROR_PAUSE_MS = 3_000;

/** Keeps the configured cash on each shard of the exchange, in one of the processors at a time. */
export async function runCollateralLoop(deps: AllocationDeps, signal: AbortSignal): Promise<void> {
  const everySeconds =
    deps.shardTargets.length === 0 ? EVERY_SECONDS_WITHOUT_TARGETS : EVERY_SECONDS;
  while (!signal.aborted) {
    try {
      if (await takeAllocationTurn(deps.database.orm, everySeconds)) {
        await allocateCollateral(deps);
      }
      await pause(POLL_MS, signal);
    } catch (error) {
      deps.log.error({ err: error }, 'allocation of cash to shards failed');
      await pause(ERROR_PAUSE_MS, signal);
    }
  }
}
