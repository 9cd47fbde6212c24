import { ConfigError } from '../config/config.ts';
import { isDatabaseOutage } from '../database/outage.ts';
import type { Log } from '../log.ts';

/** Exit codes, those of sysexits.h where it has one, so that supervisors can react. */
export const EXIT = {
  /** Asked to stop, and stopped. */
  stopped: 0,
  /** An unexpected error; a restart may help. */
  failed: 1,
  /** A dependency is not available yet; a later start will work (EX_TEMPFAIL). */
  notYet: 75,
  /** The configuration is refused; a restart does not help (EX_CONFIG). */
  refused: 78,
} as const;

/** A dependency prevents the start; the message says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly exitCode: number;

  constructor(kind: 'notYet' | 'refused', message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = EXIT[kind];
  }
}

/** Runs a program; a failure prints its reason and cure, and ends with its exit code. */
export async function runMain(title: string, main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const { text, exitCode } = explain(title, error);
    process.stderr.write(`${text}\n`);
    process.exit(exitCode);
  }
}

export function explain(title: string, error: unknown): { text: string; exitCode: number } {
  if (error instanceof ConfigError) return { text: error.message, exitCode: EXIT.refused };
  if (error instanceof StartError) {
    return { text: `${title} cannot start: ${error.message}`, exitCode: error.exitCode };
  }
  if (isDatabaseOutage(error)) {
    const why = error instanceof Error ? error.message.split('\n')[0] : '';
    const cure = 'start it, or correct DATABASE_URL';
    return {
      text: `${title} cannot start: the database is not responding (${why}); ${cure}`,
      exitCode: EXIT.notYet,
    };
  }
  const story = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text: `${title} could not run: ${story}`, exitCode: EXIT.failed };
}

/** Ends this process then, whatever a slow dependency keeps open: others continue it, as after a kill. */
export function endAfter(milliseconds: number, log: Log): void {
  const end = () => {
    log.warn('open work is left to other processes');
    process.exit(EXIT.stopped);
  };
  setTimeout(end, milliseconds).unref();
}

/** Aborts once this process is asked to stop, and ends it when open work takes longer than `drainMs`. */
export function stopSignal({ log, drainMs }: { log: Log; drainMs: number }): AbortSignal {
  const stop = new AbortController();
  const begin = () => {
    stop.abort();
    endAfter(drainMs, log);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, begin);
  // Without its supervisor no other process would stop this one.
  if (process.send) process.once('disconnect', begin);
  // An unhandled hangup would end the process.
  process.on('SIGHUP', () => undefined);
  return stop.signal;
}
