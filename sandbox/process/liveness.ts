import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Whether a process runs. A killed child that is never reaped (usual where process 1 of a container
 * is not an init) stays visible to signal 0 as a zombie; it counts as dead.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return statOf(pid)?.state !== 'Z';
}

/** Whether a process is stopped and has not been resumed. */
export function isFrozen(pid: number): boolean {
  return statOf(pid)?.state === 'T';
}

/** The name of a running program, or undefined when it is gone or unknown. */
export function programOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    if (process.platform === 'linux' || process.platform === 'win32') return undefined;
  }
  const listed = spawnSync('ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' });
  return listed.status === 0 ? listed.stdout.trim().split('/').at(-1) : undefined;
}

/**
 * A text that distinguishes this process from a later one with the same id; empty if the system
 * does not report start times.
 */
export function startTimeOf(pid: number): string {
  return statOf(pid)?.startTicks ?? '';
}

function statOf(pid: number): { state: string; startTicks: string } | undefined {
  try {
    // The second field, the name in parentheses, may contain spaces and parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    return state && startTicks ? { state, startTicks } : undefined;
  } catch {
    return undefined;
  }
}
