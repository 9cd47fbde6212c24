import type { Environment } from '#sandbox/environment.ts';
import { startNodeChild } from '#sandbox/process/nodeChild.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import type { RunningPart } from '#sandbox/process/supervised.ts';
import type { Stack } from '#sandbox/stack/startStack.ts';
import { environmentOf } from '#scripts/serviceConfig.ts';

/** The process id of a stack's processor; waits while the processor restarts. */
export async function runningProcessor(stack: Pick<Stack, 'description'>): Promise<number> {
  const pid = await pollUntil(() => stack.description().pids.processor[0]);
  // A signal to process 0 would reach the tests themselves.
  if (!pid) throw new Error('the processor does not run');
  return pid;
}

const STOP_TIMEOUT_MS = 10_000;

/** Another processor beside a stack's own, with its keys and its database. */
export async function startSecondProcessor(
  { description, folder }: Pick<Stack, 'description' | 'folder'>,
  environment: Environment = {},
): Promise<RunningPart> {
  return await startNodeChild({
    title: 'The second processor',
    entry: 'server/processor/main.ts',
    environment: { ...(await environmentOf(description(), folder.secrets)), ...environment },
    logFile: folder.logOf('processor-2'),
    stopTimeoutMs: STOP_TIMEOUT_MS,
    signal: new AbortController().signal,
  });
}
