import { expect, it, vi } from 'vitest';
import { createDuePoller } from './pollDueOrders.ts';
import { createWorkPool } from './workPool.ts';

function createPolled(concurrency: number) {
  const due: string[] = [];
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const errors: unknown[] = [];
  const pool = createWorkPool({
    concurrency,
    handler: (key) =>
      new Promise((resolve) => {
        begun.push(key);
        ends.set(key, resolve);
      }),
  });
  const find = vi.fn(async (limit: number) => due.splice(0, limit));
  const poll = createDuePoller({
    pool,
    find,
    onError: (error) => errors.push(error),
    pause: async () => undefined,
  });
  return { due, begun, errors, find, poll, pool, end: (key: string) => ends.get(key)?.() };
}

/** Waits for the poller to become idle: without pauses everything happens in one turn. */
const itRests = () => new Promise((resolve) => setImmediate(resolve));

it('given due work, starts it, and polls again only when there may be more', async () => {
  const { due, begun, find, poll } = createPolled(4);
  due.push('a', 'b');
  poll();
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b']));
  await itRests();
  expect(find.mock.calls).toEqual([[4]]);
});

it('given more work than room, starts the rest when there is room', async () => {
  const { due, begun, poll, end } = createPolled(2);
  due.push('a', 'b', 'c');
  poll();
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b']));
  await itRests();
  expect(due).toEqual(['c']);
  end('a');
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b', 'c']));
});

it('given a notification during a poll, polls again', async () => {
  const { due, begun, find, poll } = createPolled(4);
  find.mockImplementationOnce(async () => {
    due.push('late');
    poll();
    return [];
  });
  poll();
  await vi.waitFor(() => expect(begun).toEqual(['late']));
  expect(find).toHaveBeenCalledTimes(2);
});

it('given a failed poll, reports it, and the next one finds the work', async () => {
  const { due, begun, errors, find, poll } = createPolled(4);
  find.mockRejectedValueOnce(new Error('no'));
  due.push('a');
  poll();
  await vi.waitFor(() => expect(errors).toEqual([new Error('no')]));
  poll();
  await vi.waitFor(() => expect(begun).toEqual(['a']));
});

it('given a closed pool, starts nothing more', async () => {
  const { due, begun, find, poll, pool } = createPolled(4);
  await pool.close();
  due.push('a');
  poll();
  await itRests();
  expect(begun).toEqual([]);
  expect(find).not.toHaveBeenCalled();
});
