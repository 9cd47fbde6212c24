import { expect, it } from 'vitest';
import { SAVED_LIMITS } from '#lib/api/savedLimits.ts';
import type { SavedChange } from '#lib/api/schemas/saved.ts';
import { applyChanges } from './applyChanges.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000).toISOString();
const change = (key: string, value: string | null, seconds: number): SavedChange => ({
  kind: 'contact',
  key,
  value,
  changedAt: at(seconds),
});
const after = (...changes: SavedChange[][]) =>
  changes.reduce<ReturnType<typeof applyChanges>>((all, some) => applyChanges(all, some, NOW), []);

it('given changes to different items on two devices, keeps both', () => {
  const items = after([change('a', 'Anna', -9)], [change('b', 'Ben', -10)]);
  expect(items.map(({ key }) => key)).toEqual(['a', 'b']);
});

it.each([
  ['arriving in order', [-9, -5]],
  ['arriving late', [-5, -9]],
])('given two changes to one item %s, the later counts', (_, [first = 0, second = 0]) => {
  const items = after([change('a', `at ${first}`, first)], [change('a', `at ${second}`, second)]);
  expect(items).toMatchObject([{ value: 'at -5' }]);
});

it('given a deletion, an older change does not undo what is newer than it', () => {
  expect(after([change('a', 'Anna', -9)], [change('a', null, -5)])).toEqual([]);
  expect(after([change('a', 'Anna', -5)], [change('a', null, -9)])).toHaveLength(1);
});

it('given a time in the future, takes it for now', () => {
  const [item] = after([change('a', 'Anna', 3_600)]);
  expect(item?.changedAt).toBe(NOW.toISOString());
});

it('given too many items of a kind, drops the oldest', () => {
  const many = Array.from({ length: SAVED_LIMITS.contact + 1 }, (_, n) => change(`${n}`, 'x', -n));
  const items = after(many, [{ ...change('EVENT', 'yes', -999), kind: 'watchlist' }]);
  expect(items).toHaveLength(SAVED_LIMITS.contact + 1);
  expect(items.some(({ key }) => key === `${SAVED_LIMITS.contact}`)).toBe(false);
});
