import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '#sandbox/stack/startStack.ts';

/** Everything that trading needs. */
export const PARTS = ['processor', 'chain', 'web', 'exchange', 'database'] as const;
type Part = (typeof PARTS)[number];

/** The process may already have died after another part's death. */
function killNow(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/**
 * Kills one part after another until the signal, and reports each kill.
 * @param pick the next part; by default each in its turn
 */
export async function killParts(
  stack: Pick<Stack, 'description'>,
  options: {
    everyMs: () => number;
    signal: AbortSignal;
    onKill?: () => void;
    pick?: (kills: number) => Part | undefined;
  },
): Promise<number> {
  const { everyMs, signal, onKill, pick = (n) => PARTS[n % PARTS.length] } = options;
  let kills = 0;
  while (!signal.aborted) {
    await delay(everyMs(), undefined, { signal }).catch(() => undefined);
    const part = pick(kills);
    if (signal.aborted || !part) continue;
    for (const pid of stack.description().pids[part]) {
      if (!killNow(pid)) continue;
      kills += 1;
      onKill?.();
    }
  }
  return kills;
}
