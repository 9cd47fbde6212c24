import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Of `USER_HZ`, which is 100 on every Linux there is. */
const TICK_MS = 10;

/** The memory of the process, as the kernel reports it. */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
}

/** Processor time the process has used, in milliseconds. */
export function cpuMs(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The same with its child processes, including ended ones. */
export function familyCpuMs(pid: number): number {
  const fields = statOf(pid);
  const ended = (Number(fields[13]) + Number(fields[14])) * TICK_MS;
  return childrenOf(pid).reduce((sum, child) => {
    try {
      return sum + familyCpuMs(child);
    } catch {
      // It has just ended; its parent counts it next time.
      return sum;
    }
  }, cpuMs(pid) + ended);
}

function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is a name in parentheses, which may hold spaces.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function childrenOf(pid: number): number[] {
  const tasks = readdirSync(`/proc/${pid}/task`);
  return tasks.flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
}

/** Runs while some processes have the first half of the cores to themselves, and others the rest. */
export async function apart<Result>(
  some: readonly number[],
  others: readonly number[],
  work: () => Promise<Result>,
): Promise<Result> {
  const cores = cpus().length;
  const half = Math.max(1, Math.floor(cores / 2));
  try {
    // Others first: one of them may be the parent of some.
    for (const pid of others) keepOn(`${Math.min(half, cores - 1)}-${cores - 1}`, pid);
    for (const pid of some) keepOn(`0-${half - 1}`, pid);
    return await work();
  } finally {
    for (const pid of [...some, ...others]) keepOn(`0-${cores - 1}`, pid);
  }
}

/** With its threads and child processes; later ones inherit it. */
function keepOn(cores: string, pid: number): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)]);
  for (const child of childrenOf(pid)) {
    try {
      keepOn(cores, child);
    } catch {
      // It has just ended.
    }
  }
}
