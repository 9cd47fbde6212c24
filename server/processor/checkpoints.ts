/**
 * Every place between two side effects of an intent's life. A sandbox processor can be told to
 * die at one of them (`SANDBOX_CRASH_AT`), so that a test can show for each that a restart ends
 * with the same balances. Adding a side effect means adding its two sides here.
 */
export const CHECKPOINTS = [
  'order.claimed',
  'order.transition_decided',
  'order.transition_applied',
  'venue.before_place',
  'venue.after_place',
  'venue.fills_read',
  'chain.before_sign',
  'chain.signed',
  'chain.broadcast',
  'chain.mined',
  'chain.resolved',
] as const;

export type Checkpoint = (typeof CHECKPOINTS)[number];

/**
 * Answers the function that the pipeline calls at each checkpoint: nothing happens, except that
 * the process kills itself the `occurrence`-th time it reaches the named one.
 */
export function createCheckpoint(
  crashAt: { name: Checkpoint; occurrence: number } | undefined,
): (name: Checkpoint) => void {
  let seen = 0;
  return (name) => {
    if (crashAt === undefined || name !== crashAt.name) return;
    seen += 1;
    if (seen === crashAt.occurrence) process.kill(process.pid, 'SIGKILL');
  };
}

/** Reads `name` or `name#2` (the second time it is reached). */
export function parseCrashAt(text: string): { name: Checkpoint; occurrence: number } | undefined {
  const [name, occurrence = '1'] = text.split('#');
  const known = CHECKPOINTS.find((checkpoint) => checkpoint === name);
  return known && /^[1-9]\d?$/.test(occurrence)
    ? { name: known, occurrence: Number(occurrence) }
    : undefined;
}
