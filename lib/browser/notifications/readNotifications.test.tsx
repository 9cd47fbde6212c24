import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { markNotificationsRead, unreadOf, useReadNotifications } from './readNotifications.ts';

const KEY = 'crossbook.readNews';
const items = (...ids: string[]) => ids.map((id) => ({ id }));
const stored = () => JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, string[]>;

const roots: Root[] = [];

beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true));
afterEach(async () => {
  await act(async () => {
    for (const root of roots.splice(0)) root.unmount();
  });
  vi.unstubAllGlobals();
});

type Received = (readonly string[] | undefined)[];

function Probe({ owner, received }: { owner: string; received: Received }) {
  received.push(useReadNotifications(owner));
  return null;
}

/** The values that a component following this owner renders. */
async function follow(owner: string) {
  const received: Received = [];
  const root = createRoot(document.createElement('div'));
  roots.push(root);
  await act(async () => root.render(<Probe owner={owner} received={received} />));
  return { last: () => received.at(-1), count: () => received.length };
}

test('given a browser without read marks, nothing is new', () => {
  expect(unreadOf(items('a', 'b'), undefined)).toEqual([]);
  expect(unreadOf(items('a', 'b'), ['b'])).toEqual(items('a'));
});

test('read marks are per owner, regardless of address casing', async () => {
  const mine = await follow('0xAb');
  const others = await follow('0xcd');
  await act(async () => markNotificationsRead('0xaB', ['a']));
  expect(mine.last()).toEqual(['a']);
  expect(others.last()).toBeUndefined();
  expect(stored()).toEqual({ '0xab': ['a'] });
});

test('unlisted items are dropped, and marking again changes nothing', async () => {
  const mine = await follow('0xab');
  await act(async () => markNotificationsRead('0xab', ['b', 'c']));
  expect(mine.last()).toEqual(['b', 'c']);
  const before = mine.count();
  await act(async () => markNotificationsRead('0xab', ['c', 'b']));
  expect(mine.count()).toBe(before);
});

test('changes of another tab are followed, and invalid ones are ignored', async () => {
  const mine = await follow('0xab');
  const notify = (newValue: string) =>
    act(async () => {
      window.dispatchEvent(new StorageEvent('storage', { key: KEY, newValue }));
    });
  await notify('{"0xab":["z"]}');
  expect(mine.last()).toEqual(['z']);
  await notify('{"0xab":[7]}');
  expect(mine.last()).toBeUndefined();
});

test('only the most recent wallets are remembered', () => {
  for (let wallet = 0; wallet < 12; wallet += 1) markNotificationsRead(`0x${wallet}`, ['a']);
  expect(Object.keys(stored())).toHaveLength(8);
  expect(stored()).toHaveProperty('0x11');
  expect(stored()).not.toHaveProperty('0x3');
});
