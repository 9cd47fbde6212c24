import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { birthOf, isAlive } from './liveness.ts';
import { lockHolder, takeLock } from './pidLock.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-lock-'));
  path = join(folder, 'lock');
  return () => rmSync(folder, { recursive: true });
});

function take(): () => void {
  const lock = takeLock(path);
  if (!('release' in lock)) throw new Error(`held by ${lock.heldBy}`);
  return lock.release;
}

describe('a lock', () => {
  it('is held until it is given back', () => {
    const release = take();
    expect(lockHolder(path)).toBe(process.pid);
    expect(takeLock(path)).toEqual({ heldBy: process.pid });
    release();
    expect(existsSync(path)).toBe(false);
    take()();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('ends with its holder', () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    expect(isAlive(dead)).toBe(false);
    writeFileSync(path, JSON.stringify({ pid: dead, birth: '1' }));
    expect(lockHolder(path)).toBeUndefined();
    take();
    expect(lockHolder(path)).toBe(process.pid);
  });

  it.runIf(birthOf(process.pid) !== '')('is not held by a later process of the same id', () => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, birth: 'another' }));
    expect(lockHolder(path)).toBeUndefined();
    take();
  });

  it('is not held by a file that nobody can read', () => {
    writeFileSync(path, '{"pid":');
    expect(lockHolder(path)).toBeUndefined();
    take();
  });

  it('stays with whoever holds it when another gives it back', () => {
    const release = take();
    writeFileSync(path, JSON.stringify({ pid: 1, birth: birthOf(1) }));
    release();
    expect(existsSync(path)).toBe(true);
  });
});
