import { readBlockTimes } from '#server/chain/blockTimes.ts';
import type { Chain } from '#server/chain/client.ts';
import type { Database } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { pause } from '../runner/pause.ts';

const POLL_MS = 250;
const ERROR_PAUSE_MS = 2_000;

type Deps = { database: Database; chain: Chain; log: Log };

/** Reads the missing times of stored blocks until the signal aborts. */
export async function runBlockTimeLoop(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      if (!(await readBlockTimes(deps))) await pause(POLL_MS, signal);
    } catch (error) {
      deps.log.warn({ err: error }, 'times of blocks not read');
      await pause(ERROR_PAUSE_MS, signal);
    }
  }
}
