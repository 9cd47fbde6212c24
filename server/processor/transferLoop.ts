import { createTransferReader, type TransferDeps } from '#server/transfers/followTransfers.ts';
import { pause } from './pause.ts';

const POLL_MS = 500;
/** So many times as long as a reading took it is left alone: a busy chain is not read all the time. */
const REST = 4;
const LONGEST_POLL_MS = 2_000;
const ERROR_PAUSE_MS = 2_000;

/** Books plain transfers as the chain shows them, until the process is asked to stop. */
export async function runTransferLoop(deps: TransferDeps, signal: AbortSignal): Promise<void> {
  const reader = createTransferReader(deps);
  while (!signal.aborted) {
    try {
      const begun = performance.now();
      if (await reader.readOnce()) continue;
      const restMs = (performance.now() - begun) * REST;
      await pause(Math.min(Math.max(restMs, POLL_MS), LONGEST_POLL_MS), signal);
    } catch (error) {
      deps.log.error({ err: error }, 'booking of transfers stumbled');
      await pause(ERROR_PAUSE_MS, signal);
    }
  }
}
