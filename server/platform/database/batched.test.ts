import { expect, it, vi } from 'vitest';
import { batched } from './batched.ts';

const double = async (keys: number[]) => new Map(keys.map((key) => [key, key * 2]));

it('reads concurrent keys in one statement, and a repeated key once', async () => {
  const load = vi.fn(double);
  const ask = batched(load);
  expect(await Promise.all([1, 2, 3, 2].map(ask))).toEqual([2, 4, 6, 4]);
  expect(load.mock.calls).toEqual([[[1, 2, 3]]]);
});

it('gathers keys while statements run, and reads a key again that was requested later', async () => {
  const responses: (() => void)[] = [];
  const load = vi.fn(
    (keys: number[]) =>
      new Promise<Map<number, number>>((resolve) => {
        responses.push(() => resolve(new Map(keys.map((key) => [key, responses.length]))));
      }),
  );
  const ask = batched(load);
  const first = ask(1);
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  const second = ask(2);
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
  const later = [ask(1), ask(3), ask(4)];
  for (const response of responses.splice(0)) response();
  await Promise.all([first, second]);
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(3));
  expect(load.mock.calls.at(-1)).toEqual([[1, 3, 4]]);
  for (const response of responses) response();
  await Promise.all(later);
});

it('gathers more keys per statement when only one may run', async () => {
  let response: () => void = () => undefined;
  const load = vi.fn(
    (keys: number[]) =>
      new Promise<Map<number, number>>((resolve) => {
        response = () => resolve(new Map(keys.map((key) => [key, key])));
      }),
  );
  const ask = batched(load, { underWay: 1 });
  const first = ask(1);
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  const later = [ask(2), ask(3)];
  await new Promise((resolve) => setImmediate(resolve));
  expect(load).toHaveBeenCalledTimes(1);
  response();
  await first;
  await vi.waitFor(() => expect(load).toHaveBeenLastCalledWith([2, 3]));
  response();
  expect(await Promise.all(later)).toEqual([2, 3]);
});

it('given a statement that does not end, starts the next one after a timeout', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const load = vi.fn((keys: number[]) =>
      keys.includes(1) ? new Promise<Map<number, number>>(() => undefined) : double(keys),
    );
    const ask = batched(load, { underWay: 1 });
    void ask(1);
    await new Promise((resolve) => setImmediate(resolve));
    const later = ask(2);
    await new Promise((resolve) => setImmediate(resolve));
    expect(load).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(2_000);
    expect(await later).toBe(4);
  } finally {
    vi.useRealTimers();
  }
});

it('returns undefined for a missing key, and a failure to all keys of the statement', async () => {
  const ask = batched(async (keys: number[]) => {
    if (keys.includes(13)) throw new Error('no');
    return new Map<number, string>();
  });
  expect(await ask(1)).toBeUndefined();
  await expect(ask(13)).rejects.toThrow('no');
  expect(await ask(2)).toBeUndefined();
});
