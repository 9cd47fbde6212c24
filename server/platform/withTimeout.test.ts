import { expect, test } from 'vitest';
import { withTimeout } from './withTimeout.ts';

test('a result in time is returned', async () => {
  expect(await withTimeout(Promise.resolve(7), 60_000)).toBe(7);
});

test('a late result is undefined', async () => {
  expect(await withTimeout(new Promise(() => undefined), 1)).toBeUndefined();
});

test('a failure in time is thrown', async () => {
  await expect(withTimeout(Promise.reject(new Error('refused')), 60_000)).rejects.toThrow(
    'refused',
  );
});
