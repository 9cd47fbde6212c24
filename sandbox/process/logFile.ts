import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';

const KEPT_GENERATIONS = 3;
const MAX_BYTES = 16 * 1024 * 1024;

/** Rotates the log of the last run, so that each run starts with an empty one. */
export function rotateLog(path: string): void {
  for (let generation = KEPT_GENERATIONS - 1; generation >= 0; generation -= 1) {
    const from = generation === 0 ? path : `${path}.${generation}`;
    if (existsSync(from)) renameSync(from, `${path}.${generation + 1}`);
  }
}

/**
 * Limits the size of a log while it is written. Its writer appends, so after the cut it continues
 * at the start.
 */
export function truncateLog(path: string): void {
  if (!existsSync(path) || statSync(path).size < MAX_BYTES) return;
  const copy = `${path}.1`;
  try {
    copyFileSync(path, copy);
  } catch {
    // There is no room for a copy; the cut frees some.
    rmSync(copy, { force: true });
  }
  truncateSync(path, 0);
}

/** Adds our own line, if there is room. */
export function appendToLog(path: string, line: string): void {
  try {
    appendFileSync(path, `${line}\n`, { mode: 0o600 });
  } catch {
    // The screen shows the same, and no log is worth a crash.
  }
}

/** The last lines of a log, oldest first. */
export function lastLines(path: string, count: number): string[] {
  if (!existsSync(path)) return [];
  const descriptor = openSync(path, 'r');
  try {
    const { size } = statSync(path);
    const buffer = Buffer.alloc(Math.min(size, 16_384));
    readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    const lines = buffer.toString('utf8').split('\n');
    return lines.filter((line) => line.trim() !== '').slice(-count);
  } finally {
    closeSync(descriptor);
  }
}
