import { ConfigError } from '../config/config.ts';
import { isDatabaseOutage } from '../database/outage.ts';

/** How a process of ours ends; the first two of sysexits.h, so that supervisors can tell. */
export const EXIT = {
  /** Asked to stop, and stopped. */
  stopped: 0,
  /** Something unforeseen; starting again may help. */
  failed: 1,
  /** Something it needs is not there yet; starting again later will help (EX_TEMPFAIL). */
  notYet: 75,
  /** The configuration is refused; starting again will not help (EX_CONFIG). */
  refused: 78,
} as const;

/** Raised while starting when something outside is not as it has to be; the message says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly exitCode: number;

  constructor(kind: 'notYet' | 'refused', message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = EXIT[kind];
  }
}

/** Runs a program; when it fails, says why in words a person can act on and ends with its code. */
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
