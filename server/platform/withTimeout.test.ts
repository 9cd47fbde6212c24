import { expect, test } from 'vitest';
import { withTimeout } from './withTimeout.ts';

test('answers what comes in time', async () => {
  expect(await withTimeout(Promise.resolve(7), 60_000)).toBe(7);
});

test('answers nothing when it takes longer', async () => {
  expect(await withTimeout(new Promise(() => undefined), 1)).toBeUndefined();
});

test('tells of what fails in time', async () => {
  await expect(withTimeout(Promise.reject(new Error('refused')), 60_000)).rejects.toThrow(
    'refused',
  );
});
