import { expect, it, vi } from 'vitest';
import { createWorkPool } from './workPool.ts';

function controlled() {
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  const handler = (key: string) =>
    new Promise<void>((resolve) => {
      begun.push(key);
      ends.set(key, resolve);
    });
  return { begun, handler, end: (key: string) => ends.get(key)?.() };
}

it('given more than the limit, starts that much and resolves room() when there is room', async () => {
  const { begun, handler, end } = controlled();
  const pool = createWorkPool({ concurrency: 2, handler });
  for (const key of ['a', 'b', 'c']) pool.start(key);
  expect(begun).toEqual(['a', 'b']);
  const onRoom = vi.fn();
  const room = pool.room().then(onRoom);
  end('a');
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b', 'c']));
  expect(onRoom).not.toHaveBeenCalled();
  end('b');
  await room;
  expect(onRoom).toHaveBeenCalled();
});

it('given the same key again, starts it after it has ended, never concurrently', async () => {
  const { begun, handler, end } = controlled();
  const pool = createWorkPool({ concurrency: 2, handler });
  pool.start('a');
  pool.start('a');
  pool.start('a');
  expect(begun).toEqual(['a']);
  end('a');
  await vi.waitFor(() => expect(begun).toEqual(['a', 'a']));
  end('a');
  await pool.close();
  expect(begun).toEqual(['a', 'a']);
});

it('given a failure, starts the next one', async () => {
  const begun: string[] = [];
  const pool = createWorkPool({
    concurrency: 1,
    handler: async (key) => {
      begun.push(key);
      throw new Error('no');
    },
  });
  pool.start('a');
  pool.start('b');
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b']));
});

it('given a close, starts nothing more and waits for running work', async () => {
  const { begun, handler, end } = controlled();
  const pool = createWorkPool({ concurrency: 1, handler });
  pool.start('a');
  pool.start('b');
  const room = pool.room();
  const closed = vi.fn();
  const closing = pool.close().then(closed);
  await room;
  expect(closed).not.toHaveBeenCalled();
  end('a');
  await closing;
  pool.start('c');
  expect(begun).toEqual(['a']);
});
