import { readdirSync, readFileSync } from 'node:fs';

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
