import {
  createTransferReader,
  type TransferDeps,
} from '#server/domain/transfers/followTransfers.ts';
import { pause } from '../runner/pause.ts';

const POLL_MS = 500;
const ERROR_PAUSE_MS = 2_000;

/** Records plain transfers from the chain until the signal aborts. */
export async function runTransferLoop(deps: TransferDeps, signal: AbortSignal): Promise<void> {
  const reader = createTransferReader(deps);
  while (!signal.aborted) {
    try {
      if (!(await reader.readOnce())) await pause(POLL_MS, signal);
    } catch (error) {
      deps.log.error({ err: error }, 'recording transfers failed');
      await pause(ERROR_PAUSE_MS, signal);
    }
  }
}
