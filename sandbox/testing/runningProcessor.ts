import { pollUntil } from '#sandbox/process/poll.ts';
import type { Stack } from '#sandbox/stack/startStack.ts';

/** The process id of a stack's processor; waits while the processor restarts. */
export async function runningProcessor(stack: Pick<Stack, 'description'>): Promise<number> {
  const pid = await pollUntil(() => stack.description().pids.processor[0], { timeoutMs: 60_000 });
  // A signal to process 0 would reach the tests themselves.
  if (!pid) throw new Error('the processor does not run');
  return pid;
}
