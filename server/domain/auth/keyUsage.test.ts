import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../platform/database/client.ts';
import { createLog } from '../../platform/log.ts';
import { openKeyUsage } from './keyUsage.ts';

const log = createLog('test', 'silent');

/** A database that only counts writes, and fails on request. */
function fakeDatabase() {
  const state = { writes: 0, isDown: false };
  const database = {
    orm: {
      execute: () => {
        state.writes += 1;
        return state.isDown ? Promise.reject(new Error('down')) : Promise.resolve({ rows: [] });
      },
    },
  } as unknown as Database;
  return { state, database };
}

afterEach(() => vi.useRealTimers());

describe('openKeyUsage', () => {
  it('writes once for many requests, and not without any', async () => {
    const { state, database } = fakeDatabase();
    const usage = openKeyUsage({ database, log });
    await usage.flush();
    expect(state.writes).toBe(0);
    for (let request = 0; request < 1_000; request += 1) usage.note(`key_${request % 7}`, false);
    await usage.flush();
    await usage.flush();
    expect(state.writes).toBe(1);
    await usage.close();
  });

  it('writes at intervals, and a last time when it is closed', async () => {
    vi.useFakeTimers();
    const { state, database } = fakeDatabase();
    const usage = openKeyUsage({ database, log });
    usage.note('key_a', false);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(state.writes).toBe(1);
    usage.note('key_a', true);
    await usage.close();
    expect(state.writes).toBe(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(state.writes).toBe(2);
  });

  it('keeps counts that an unavailable database did not accept', async () => {
    const { state, database } = fakeDatabase();
    const usage = openKeyUsage({ database, log });
    state.isDown = true;
    usage.note('key_a', false);
    await usage.flush();
    state.isDown = false;
    await usage.flush();
    expect(state.writes).toBe(2);
    await usage.flush();
    expect(state.writes).toBe(2);
    await usage.close();
  });
});
