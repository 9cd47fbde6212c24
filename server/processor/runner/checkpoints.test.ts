import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CRASH_FILE, createCheckpoint, parseCrashAt, TRACE_FILE } from './checkpoints.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'checkpoints-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true });
});

describe('createCheckpoint', () => {
  test('dies once, at the requested occurrence', () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    const checkpoint = createCheckpoint(dir);
    checkpoint('chain.signed');
    writeFileSync(join(dir, CRASH_FILE), 'chain.signed#2');
    checkpoint('chain.signed');
    checkpoint('chain.mined');
    expect(kill).not.toHaveBeenCalled();
    checkpoint('chain.signed');
    expect(kill).toHaveBeenCalledExactlyOnceWith(process.pid, 'SIGKILL');
    expect(existsSync(join(dir, CRASH_FILE))).toBe(false);
    checkpoint('chain.signed');
    expect(kill).toHaveBeenCalledOnce();
  });

  test('records the checkpoints it passes while a trace is requested', () => {
    const checkpoint = createCheckpoint(dir);
    checkpoint('order.claimed');
    writeFileSync(join(dir, TRACE_FILE), '');
    checkpoint('exchange.before_place');
    checkpoint('exchange.after_place');
    expect(readFileSync(join(dir, TRACE_FILE), 'utf8')).toBe(
      'exchange.before_place\nexchange.after_place\n',
    );
  });
});

test('parseCrashAt refuses an unknown checkpoint', () => {
  expect(parseCrashAt('chain.signed')).toEqual({ name: 'chain.signed', occurrence: 1 });
  expect(parseCrashAt('chain.signed#0')).toBeUndefined();
  expect(parseCrashAt('nowhere#1')).toBeUndefined();
  expect(parseCrashAt('')).toBeUndefined();
});
