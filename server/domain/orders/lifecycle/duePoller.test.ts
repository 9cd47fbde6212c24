import { expect, it, vi } from 'vitest';
import { createDuePoller } from './duePoller.ts';
import { createWorkPool } from './workPool.ts';

function lookedAfter(concurrency: number) {
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
  const look = createDuePoller({
    pool,
    find,
    onError: (error) => errors.push(error),
    pause: async () => undefined,
  });
  return { due, begun, errors, find, look, pool, end: (key: string) => ends.get(key)?.() };
}

/** Until the lookout has nothing more to do: without pauses all of it happens in one turn. */
const itRests = () => new Promise((resolve) => setImmediate(resolve));

it('begins what is due, and looks for more only when there may be more', async () => {
  const { due, begun, find, look } = lookedAfter(4);
  due.push('a', 'b');
  look();
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b']));
  await itRests();
  expect(find.mock.calls).toEqual([[4]]);
});

it('takes no more than there is room for, and the rest when there is', async () => {
  const { due, begun, look, end } = lookedAfter(2);
  due.push('a', 'b', 'c');
  look();
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b']));
  await itRests();
  expect(due).toEqual(['c']);
  end('a');
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b', 'c']));
});

it('looks once more for what it was told of while it looked', async () => {
  const { due, begun, find, look } = lookedAfter(4);
  find.mockImplementationOnce(async () => {
    due.push('late');
    look();
    return [];
  });
  look();
  await vi.waitFor(() => expect(begun).toEqual(['late']));
  expect(find).toHaveBeenCalledTimes(2);
});

it('says that a look failed, and looks again when it is told to', async () => {
  const { due, begun, errors, find, look } = lookedAfter(4);
  find.mockRejectedValueOnce(new Error('no'));
  due.push('a');
  look();
  await vi.waitFor(() => expect(errors).toEqual([new Error('no')]));
  look();
  await vi.waitFor(() => expect(begun).toEqual(['a']));
});

it('begins nothing more once the pool is closed', async () => {
  const { due, begun, find, look, pool } = lookedAfter(4);
  await pool.close(0);
  due.push('a');
  look();
  await itRests();
  expect(begun).toEqual([]);
  expect(find).not.toHaveBeenCalled();
});
