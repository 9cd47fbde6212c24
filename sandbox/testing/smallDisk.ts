import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of a few megabytes, to be filled. */
export type SmallDisk = {
  path: string;
  /** Takes all free space, repeatedly: space freed meanwhile is taken too. */
  fill(): void;
  /** Frees the space. */
  free(): void;
  setReadOnly(isReadOnly: boolean): void;
  remove(): void;
};

/**
 * Mounts one in memory; this process must have the right to mount.
 * @throws {Error} when it has not: without a disk to fill the test would prove nothing
 */
export function mountSmallDisk(mib: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'crossbook-disk-'));
  run('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'crossbook', path]);
  const filler = join(path, 'filler');
  let taking: NodeJS.Timeout | undefined;
  const left = () => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  };
  const take = () => {
    for (let bytes = left(); bytes > 0; bytes = left()) append(filler, bytes);
  };
  return {
    path,
    fill() {
      take();
      taking = setInterval(take, 100);
    },
    free() {
      clearInterval(taking);
      rmSync(filler, { force: true });
    },
    setReadOnly(isReadOnly) {
      run('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, path]);
    },
    remove() {
      clearInterval(taking);
      run('umount', ['-l', path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function append(file: string, bytes: number): void {
  try {
    writeFileSync(file, Buffer.alloc(Math.min(bytes, 2 ** 24)), { flag: 'a' });
  } catch (error) {
    // Another writer was faster: the disk is full already.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

function run(program: string, args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} did not work: ${error?.message ?? stderr}`);
}
