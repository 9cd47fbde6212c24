import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isAlive, startTimeOf } from './liveness.ts';

type Holder = { pid: number; birth: string };

/** The living holder of the lock, or undefined. */
export function lockHolder(path: string): number | undefined {
  const holder = readHolder(path);
  return holder && holds(holder) ? holder.pid : undefined;
}

/**
 * Takes a lock that ends with the process that holds it.
 * @returns the release function, or the id of the holder.
 */
export function takeLock(path: string): { release: () => void } | { heldBy: number } {
  const mine: Holder = { pid: process.pid, birth: startTimeOf(process.pid) };
  // Written aside and linked into place, so that readers never see a partial lock.
  const draft = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (;;) {
      try {
        linkSync(draft, path);
        return { release: () => releaseLock(path) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = readHolder(path);
      if (holder && holds(holder)) return { heldBy: holder.pid };
      removeStale(path);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function releaseLock(path: string): void {
  if (readHolder(path)?.pid === process.pid) rmSync(path, { force: true });
}

/** Another starter may have replaced the stale lock meanwhile; its lock is restored. */
function removeStale(path: string): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const holder = readHolder(aside);
  if (holder && holds(holder)) linkSync(aside, path);
  rmSync(aside, { force: true });
}

function holds(holder: Holder): boolean {
  return isAlive(holder.pid) && startTimeOf(holder.pid) === holder.birth;
}

function readHolder(path: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const { pid, birth } = value as Partial<Holder>;
    return typeof pid === 'number' && typeof birth === 'string' ? { pid, birth } : undefined;
  } catch {
    return undefined;
  }
}
