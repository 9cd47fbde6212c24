import { expect, test } from 'vitest';
import { soon } from './soon.ts';

test('answers what comes in time', async () => {
  expect(await soon(Promise.resolve(7), 60_000)).toBe(7);
});

test('answers nothing when it takes longer', async () => {
  expect(await soon(new Promise(() => undefined), 1)).toBeUndefined();
});

test('tells of what fails in time', async () => {
  await expect(soon(Promise.reject(new Error('refused')), 60_000)).rejects.toThrow('refused');
});
