import { expect, it, vi } from 'vitest';
import { createDuePoller } from './duePoller.ts';
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

/** Until the poller has nothing more to do: without pauses all of it happens in one turn. */
const itRests = () => new Promise((resolve) => setImmediate(resolve));

it('given what is due, it is begun, and there is another poll only when there may be more', async () => {
  const { due, begun, find, poll } = createPolled(4);
  due.push('a', 'b');
  poll();
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b']));
  await itRests();
  expect(find.mock.calls).toEqual([[4]]);
});

it('given more than there is room for, the rest is begun when there is', async () => {
  const { due, begun, poll, end } = createPolled(2);
  due.push('a', 'b', 'c');
  poll();
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b']));
  await itRests();
  expect(due).toEqual(['c']);
  end('a');
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b', 'c']));
});

it('given a notification during a poll, another one follows', async () => {
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

it('given a poll that failed, that is reported, and the next one finds it', async () => {
  const { due, begun, errors, find, poll } = createPolled(4);
  find.mockRejectedValueOnce(new Error('no'));
  due.push('a');
  poll();
  await vi.waitFor(() => expect(errors).toEqual([new Error('no')]));
  poll();
  await vi.waitFor(() => expect(begun).toEqual(['a']));
});

it('given that the pool is closed, nothing more is begun', async () => {
  const { due, begun, find, poll, pool } = createPolled(4);
  await pool.close(0);
  due.push('a');
  poll();
  await itRests();
  expect(begun).toEqual([]);
  expect(find).not.toHaveBeenCalled();
});
