import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from './liveness.ts';

/** A part of the sandbox while it runs. */
export type RunningPart = {
  pids: number[];
  /** Settles with the reason when it has ended. */
  exited: Promise<string>;
  stop: () => Promise<void>;
};

/** Messages to show after the start. */
export type Incident = { part: string; text: string };

export type Supervised = {
  pids: () => number[];
  /** Ends the part and its supervision. */
  stop: () => Promise<void>;
};

const FIRST_BACKOFF_MS = 100;
const LAST_BACKOFF_MS = 10_000;
/** After running this long, a part's next death counts as its first. */
const WELL_AFTER_MS = 3_000;

/**
 * Starts a part and keeps it running: restarts it when it dies, at once the first time and then
 * with growing delays.
 * @returns once it runs; a failure of the first start is thrown to the caller
 */
export async function runSupervised(options: {
  name: string;
  start: (signal: AbortSignal) => Promise<RunningPart>;
  /** Aborts a start in progress. */
  signal: AbortSignal;
  onIncident: (incident: Incident) => void;
  onChange: () => void;
}): Promise<Supervised> {
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, options.signal]);
  let current: RunningPart | undefined = await options.start(signal);
  if (signal.aborted) {
    await current.stop();
    signal.throwIfAborted();
  }
  const watch = async () => {
    let backoff = 0;
    while (!ending.signal.aborted) {
      if (current) {
        const since = Date.now();
        const how = await current.exited;
        if (ending.signal.aborted) return;
        current = undefined;
        options.onChange();
        if (Date.now() - since > WELL_AFTER_MS) backoff = 0;
        options.onIncident({ part: options.name, text: `ended (${how}), starting it again` });
      }
      const isWoken = await delay(backoff, false, { signal: ending.signal }).catch(() => true);
      if (isWoken) return;
      backoff = Math.min(Math.max(backoff * 2, FIRST_BACKOFF_MS), LAST_BACKOFF_MS);
      current = await startAgain(options, signal);
      if (current && ending.signal.aborted) await current.stop();
      else options.onChange();
    }
  };
  const watching = watch();
  return {
    pids: () => current?.pids ?? [],
    stop: async () => {
      ending.abort();
      await current?.stop();
      await watching;
    },
  };
}

async function startAgain(
  options: Parameters<typeof runSupervised>[0],
  signal: AbortSignal,
): Promise<RunningPart | undefined> {
  try {
    const part = await options.start(signal);
    options.onIncident({ part: options.name, text: 'is back' });
    return part;
  } catch (error) {
    if (signal.aborted) return undefined;
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    options.onIncident({ part: options.name, text: `does not come back yet: ${reason}` });
    return undefined;
  }
}

/** Settles when a process that is not our child, or whose exit is not reported, has ended. */
export async function whenExited(pid: number): Promise<string> {
  while (isAlive(pid)) await delay(200);
  return 'it is gone';
}
