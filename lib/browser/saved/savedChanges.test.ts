import { expect, it } from 'vitest';
import { differences, firstChanges, type HeldItem, withDifferences } from './savedChanges.ts';

const watched = (key: string): HeldItem => ({ kind: 'watchlist', key, value: 'yes' });
const named = (key: string, value: string): HeldItem => ({ kind: 'contact', key, value });

it('given additions, changes and removals, names each item once', () => {
  const before = [watched('A'), watched('B'), named('0x1', 'Anna')];
  const after = [watched('C'), watched('A'), named('0x1', 'Anne')];
  expect(differences(before, after)).toEqual([
    watched('C'),
    named('0x1', 'Anne'),
    { kind: 'watchlist', key: 'B', value: null },
  ]);
  expect(differences(after, after)).toEqual([]);
});

it('given the differences, leads from one state to the other and leaves other items', () => {
  const before = [watched('A'), watched('B')];
  const changes = differences(before, [watched('C'), watched('A')]);
  expect(withDifferences([watched('D'), ...before], changes)).toEqual([
    watched('C'),
    watched('D'),
    watched('A'),
  ]);
});

it('given a first sign-in, sends what the browser holds, newest first', () => {
  const changes = firstChanges([watched('A'), watched('B')], [], 5_000);
  expect(changes.map(({ key, changedAt }) => [key, Date.parse(changedAt)])).toEqual([
    ['A', 5_000],
    ['B', 4_999],
  ]);
});

it('given a preference of unknown age, lets the account’s own win', () => {
  const [change] = firstChanges([{ kind: 'preference', key: 'theme', value: 'dark' }], [], 5_000);
  expect(change?.changedAt).toBe('1970-01-01T00:00:00.000Z');
});

it('given items of another account, sends none of them', () => {
  const held = [watched('mine'), named('0x1', 'Anna')];
  expect(firstChanges(held, [named('0x1', 'Anna')], 0).map(({ key }) => key)).toEqual(['mine']);
});
