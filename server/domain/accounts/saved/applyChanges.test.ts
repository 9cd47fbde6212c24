import { expect, it } from 'vitest';
import { SAVED_LIMITS } from '#lib/api/savedLimits.ts';
import type { SavedChange } from '#lib/api/schemas/saved.ts';
import { applyChanges, presentItems, type StoredItem } from './applyChanges.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000).toISOString();
const change = (key: string, value: string | null, seconds: number): SavedChange => ({
  kind: 'contact',
  key,
  value,
  changedAt: at(seconds),
});
const stored = (...changes: SavedChange[][]) =>
  changes.reduce<StoredItem[]>((all, some) => applyChanges(all, some, NOW), []);
const after = (...changes: SavedChange[][]) => presentItems(stored(...changes));

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

it('given an older change that arrives after the deletion, the item stays deleted', () => {
  expect(
    after([change('a', 'Anna', -9)], [change('a', null, -5)], [change('a', 'Ann', -7)]),
  ).toEqual([]);
  expect(after([change('a', null, -5)], [change('a', 'Ann', -7)])).toEqual([]);
  expect(after([change('a', null, -5)], [change('a', 'Ann', -3)])).toMatchObject([
    { value: 'Ann' },
  ]);
});

it('given a deletion, forgets it after thirty days', () => {
  const deleted = applyChanges([], [change('a', null, -5)], NOW);
  const later = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
  expect(applyChanges(deleted, [], later(29))).toHaveLength(1);
  expect(applyChanges(deleted, [], later(30))).toEqual([]);
});

it('given many deletions, keeps the newest of them and every item', () => {
  const items = Array.from({ length: SAVED_LIMITS.contact }, (_, n) => change(`${n}`, 'x', -500));
  const deletions = Array.from({ length: SAVED_LIMITS.contact + 1 }, (_, n) =>
    change(`gone ${n}`, null, -n),
  );
  const kept = stored(items, deletions);
  expect(presentItems(kept)).toHaveLength(SAVED_LIMITS.contact);
  expect(kept).toHaveLength(2 * SAVED_LIMITS.contact);
  expect(kept.some(({ key }) => key === `gone ${SAVED_LIMITS.contact}`)).toBe(false);
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
