import { CursorTakenError, type LeasedReader, type ReadOutcome } from '#server/chain/cursor.ts';
import type { Log } from '#server/platform/log.ts';
import { pause, pollUntilAborted } from '../runner/polling.ts';

/** Before the next look whether the process that reads has ended. */
const ELSEWHERE_MS = 750;
const RENEW_MS = 1_000;
/** The lease of a read that takes longer is not renewed: its node may never respond. */
const MOST_RENEWED_MS = 20_000;

/** Reads until the signal aborts, as long as no other process does. */
export async function runLeasedReader(
  options: Parameters<typeof pollUntilAborted>[0],
  reader: LeasedReader,
): Promise<void> {
  const { log, signal } = options;
  await pollUntilAborted(options, async () => {
    const outcome = await readRenewed(reader, log);
    if (outcome === 'elsewhere') await pause(ELSEWHERE_MS, signal);
    return outcome === 'more';
  });
  await reader.release().catch((error: unknown) => {
    // Without a database; the lease expires.
    log.warn({ err: error }, 'the position of a reader was not released');
  });
}

async function readRenewed(reader: LeasedReader, log: Log): Promise<ReadOutcome> {
  const startedAt = performance.now();
  const renewal = setInterval(() => {
    if (performance.now() - startedAt > MOST_RENEWED_MS) return;
    reader.renew().catch((error: unknown) => log.debug({ err: error }, 'a lease was not renewed'));
  }, RENEW_MS);
  try {
    return await reader.read();
  } catch (error) {
    if (!(error instanceof CursorTakenError)) throw error;
    return 'elsewhere';
  } finally {
    clearInterval(renewal);
  }
}
