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

it('carries as much at once as it may, and tells when there is room', async () => {
  const { begun, handler, end } = controlled();
  const pool = createWorkPool({ concurrency: 2, handler });
  for (const key of ['a', 'b', 'c']) pool.start(key);
  expect(begun).toEqual(['a', 'b']);
  const told = vi.fn();
  const room = pool.room().then(told);
  end('a');
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b', 'c']));
  expect(told).not.toHaveBeenCalled();
  end('b');
  await room;
  expect(told).toHaveBeenCalled();
});

it('begins the same thing again after it has ended, never beside itself', async () => {
  const { begun, handler, end } = controlled();
  const pool = createWorkPool({ concurrency: 2, handler });
  pool.start('a');
  pool.start('a');
  pool.start('a');
  expect(begun).toEqual(['a']);
  end('a');
  await vi.waitFor(() => expect(begun).toEqual(['a', 'a']));
  end('a');
  await pool.close(1_000);
  expect(begun).toEqual(['a', 'a']);
});

it('goes on after a failure', async () => {
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

it('begins nothing more when it is closed, and waits for what is under way', async () => {
  const { begun, handler, end } = controlled();
  const pool = createWorkPool({ concurrency: 1, handler });
  pool.start('a');
  pool.start('b');
  const room = pool.room();
  const closed = vi.fn();
  const closing = pool.close(60_000).then(closed);
  await room;
  expect(closed).not.toHaveBeenCalled();
  end('a');
  await closing;
  pool.start('c');
  expect(begun).toEqual(['a']);
});

it('does not wait longer than it is told', async () => {
  const { handler } = controlled();
  const pool = createWorkPool({ concurrency: 1, handler });
  pool.start('a');
  await pool.close(1);
});
