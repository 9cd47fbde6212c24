import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CursorTakenError, type ReadOutcome } from '#server/chain/cursor.ts';
import { createLog } from '#server/platform/log.ts';
import { runLeasedReader } from './leasedReader.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(read: () => Promise<ReadOutcome>) {
  const stop = new AbortController();
  const log = createLog('test', 'silent');
  const logged = vi.spyOn(log, 'error');
  const renew = vi.fn(async () => undefined);
  const release = vi.fn(async () => undefined);
  const options = { log, signal: stop.signal, pollMs: 250, errorPauseMs: 2_000, failure: 'failed' };
  const ended = runLeasedReader(options, { read, renew, release });
  return { stop, ended, renew, release, logged };
}

const after = (milliseconds: number, outcome: ReadOutcome) => () =>
  new Promise<ReadOutcome>((resolve) => setTimeout(() => resolve(outcome), milliseconds));

test('given a read of ten seconds, its lease is renewed each second', async () => {
  const { stop, ended, renew } = start(after(10_500, 'done'));
  await vi.advanceTimersByTimeAsync(10_500);
  expect(renew).toHaveBeenCalledTimes(10);
  stop.abort();
  await ended;
});

test('given a read that never ends, its lease is left to expire', async () => {
  const { renew } = start(() => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(renew).toHaveBeenCalledTimes(20);
});

test('given another process that reads, it looks again and logs no error', async () => {
  vi.useRealTimers();
  const read = vi.fn(async (): Promise<ReadOutcome> => {
    throw new CursorTakenError('taken');
  });
  const { stop, ended, logged } = start(read);
  await expect.poll(() => read.mock.calls.length, { timeout: 5_000 }).toBe(2);
  expect(logged).not.toHaveBeenCalled();
  stop.abort();
  await ended;
});

test('given the end of the process, the next one may read at once', async () => {
  const { stop, ended, release } = start(after(100, 'done'));
  stop.abort();
  await vi.advanceTimersByTimeAsync(100);
  await ended;
  expect(release).toHaveBeenCalledTimes(1);
});
