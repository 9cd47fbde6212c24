import { statfsSync } from 'node:fs';
import { StartProblem } from '#sandbox/problem.ts';

const MIB = 2 ** 20;

/** The disk-full errors of the system, PostgreSQL and SQLite. */
export const DISK_FULL = /ENOSPC|EDQUOT|No space left on device|disk is full|disk quota exceeded/i;

/** @throws {StartProblem} when the disk of `folder` has less than `neededMib` left */
export function requireRoom(folder: string, neededMib: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const freeMib = Math.floor((bavail * bsize) / MIB);
  if (freeMib < neededMib) {
    throw new StartProblem(
      `The disk of ${folder} has ${freeMib} MiB left; a start here needs ${neededMib} MiB.`,
      'Make room on it, or choose a folder on another disk with --data <folder>.',
    );
  }
}

/** Reports a full disk as such; rethrows any other error. */
export function explainFullDisk(error: unknown, folder: string): unknown {
  if (!isDiskFull(error)) return error;
  return new StartProblem(
    `The disk of ${folder} is full. What was kept there is whole.`,
    'Make room on it and start again, or choose a folder on another disk with --data <folder>.',
    { cause: error },
  );
}

function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return DISK_FULL.test(error.message) || isDiskFull(error.cause);
}
