import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startNodeChild } from '#sandbox/process/nodeChild.ts';
import type { RunningPart } from '#sandbox/process/supervised.ts';

/** The environment of a running process. */
export function environmentOf(pid: number): Record<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const mark = entry.indexOf('=');
      return mark > 0 ? [[entry.slice(0, mark), entry.slice(mark + 1)] as const] : [];
    }),
  );
}

/** One more processor beside a running one, with the same configuration. */
export async function startSecondProcessor(first: number, folder: string): Promise<RunningPart> {
  const { NODE_CHANNEL_FD: _fd, OPS_PORT: _ops, ...environment } = environmentOf(first);
  return await startNodeChild({
    title: 'a second processor',
    entry: 'server/processor/main.ts',
    logFile: join(folder, 'second-processor.log'),
    stopTimeoutMs: 5_000,
    signal: new AbortController().signal,
    environment,
  });
}
