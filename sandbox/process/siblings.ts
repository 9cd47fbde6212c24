import { readFileSync } from 'node:fs';
import { startNodeChild } from './nodeChild.ts';
import type { RunningPart } from './supervised.ts';

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

/**
 * One more program beside a running one, with the same configuration.
 * @param changes variables that must differ, such as PORT
 */
export async function startSibling(
  pid: number,
  options: { entry: string; logFile: string; changes?: Record<string, string> },
): Promise<RunningPart> {
  const { NODE_CHANNEL_FD: _fd, OPS_PORT: _ops, ...environment } = environmentOf(pid);
  return await startNodeChild({
    title: `one more ${options.entry}`,
    entry: options.entry,
    logFile: options.logFile,
    stopTimeoutMs: 5_000,
    signal: new AbortController().signal,
    environment: { ...environment, ...options.changes },
  });
}
