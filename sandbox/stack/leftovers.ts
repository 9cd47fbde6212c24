import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runningPostmaster, stopPostmaster } from '#sandbox/database/postmaster.ts';
import { writeWhole } from '#sandbox/process/atomicFile.ts';
import { isAlive, programOf, startTimeOf } from '#sandbox/process/liveness.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import type { DataFolder } from './dataFolder.ts';

const processList = z.array(
  z.object({ part: z.string(), pid: z.number().int().positive(), birth: z.string() }),
);

/** Records the running processes, for a start that follows a kill. */
export function recordProcesses(path: string, pids: Record<string, number[]>): void {
  const list = Object.entries(pids).flatMap(([part, ids]) =>
    ids.map((pid) => ({ part, pid, birth: startTimeOf(pid) })),
  );
  writeWhole(path, JSON.stringify(list));
}

/**
 * Ends what a killed supervisor left running, except the database, which is taken over.
 * @returns the names of the parts that were still running
 */
export async function endLeftovers(path: string): Promise<string[]> {
  const left = readProcesses(path).filter(
    ({ part, pid, birth }) => part !== 'database' && isSame(pid, birth),
  );
  for (const [signal, timeoutMs] of [
    ['SIGTERM', 3_000],
    ['SIGKILL', 2_000],
  ] as const) {
    const alive = left.filter(({ pid, birth }) => isSame(pid, birth));
    for (const { pid } of alive) send(pid, signal);
    await pollUntil(() => alive.every(({ pid }) => !isAlive(pid)) || undefined, {
      timeoutMs: timeoutMs,
    });
  }
  return left.map(({ part }) => part);
}

/** Ends the database as well, before the folder is deleted. */
export async function endEverythingOn(folder: DataFolder): Promise<void> {
  await endLeftovers(folder.processes);
  const database = runningPostmaster(join(folder.database, 'cluster'));
  if (database) await stopPostmaster(database.pid);
}

function isSame(pid: number, birth: string): boolean {
  if (!isAlive(pid) || startTimeOf(pid) !== birth) return false;
  // Without a start time to compare, an id that now belongs to another program is left alone.
  return birth !== '' || /^(node|anvil)/.test(programOf(pid) ?? '');
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}

function readProcesses(path: string): z.infer<typeof processList> {
  try {
    return processList.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return [];
  }
}
