import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isAlive, startTimeOf } from './liveness.ts';
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
  it('is held until it is released', () => {
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

  it.runIf(startTimeOf(process.pid) !== '')(
    'given a later process with the same id, is free',
    () => {
      writeFileSync(path, JSON.stringify({ pid: process.pid, birth: 'another' }));
      expect(lockHolder(path)).toBeUndefined();
      take();
    },
  );

  it('given an unreadable file, is free', () => {
    writeFileSync(path, '{"pid":');
    expect(lockHolder(path)).toBeUndefined();
    take();
  });

  it('given a release by another process, stays with its holder', () => {
    const release = take();
    writeFileSync(path, JSON.stringify({ pid: 1, birth: startTimeOf(1) }));
    release();
    expect(existsSync(path)).toBe(true);
  });
});
