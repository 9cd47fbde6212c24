import type { ReadOutcome } from '#server/chain/cursor.ts';
import { pause, pollUntilAborted } from '../runner/polling.ts';

/** Before the next look whether the process that reads has ended. */
const ELSEWHERE_MS = 750;

/** A reader of the chain that one process at a time runs. */
export type LeasedReader = {
  read(): Promise<ReadOutcome>;
  /** Lets another process read at once. */
  release(): Promise<void>;
};

/** Reads until the signal aborts, as long as no other process does. */
export async function runLeasedReader(
  options: Parameters<typeof pollUntilAborted>[0],
  reader: LeasedReader,
): Promise<void> {
  const { log, signal } = options;
  await pollUntilAborted(options, async () => {
    const outcome = await reader.read();
    if (outcome === 'elsewhere') await pause(ELSEWHERE_MS, signal);
    return outcome === 'more';
  });
  await reader.release().catch((error: unknown) => {
    // Without a database; the lease expires.
    log.warn({ err: error }, 'the position of a reader was not released');
  });
}
