import { wakeOrders } from '#server/domain/orders/lifecycle/dueOrders.ts';
import { listClosedWaits } from '#server/domain/orders/lifecycle/triggerStore.ts';
import type { TriggerSource } from '#server/domain/triggers/triggerSource.ts';
import { type TriggerWatchDeps, watchTriggers } from '#server/domain/triggers/watchTriggers.ts';
import type { Database } from '#server/platform/database/client.ts';
import { pollUntilAborted } from '../runner/polling.ts';

/** Between reads of what waits for a price. */
const POLL_MS = 1_000;
/** Between looks for markets that closed early; an order's step knows the planned close. */
const CLOSED_MS = 10_000;
const ERROR_PAUSE_MS = 3_000;

/**
 * Fires what waits for a price, each exactly once: every processor watches, and the database
 * decides between them.
 */
export async function runTriggerLoop(
  deps: TriggerWatchDeps & { database: Database },
  sources: readonly TriggerSource[],
  signal: AbortSignal,
): Promise<void> {
  const { database, log } = deps;
  const watch = watchTriggers(deps);
  let looksAt = 0;
  const failure = 'watching for trigger prices failed';
  const options = { log, signal, pollMs: POLL_MS, errorPauseMs: ERROR_PAUSE_MS, failure };
  await pollUntilAborted(options, async () => {
    if (performance.now() >= looksAt) {
      looksAt = performance.now() + CLOSED_MS;
      await wakeOrders(database.orm, await listClosedWaits(database));
    }
    const open = await Promise.all(
      sources.map(async (source) =>
        (await source.listOpen()).map((trigger) => ({ trigger, source })),
      ),
    );
    watch.update(open.flat());
    return false;
  });
  watch.stop();
}
