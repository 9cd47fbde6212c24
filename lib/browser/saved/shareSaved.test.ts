// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiProblem } from '#lib/api/problem.ts';
import type { SavedChange, SavedItem, SavedList } from '#lib/api/schemas/saved.ts';
import { toggleWatched, watchlistStore } from '../market/watchlist.ts';
import { chooseTheme, rememberedTheme } from '../theme.ts';
import { knownAddresses, saveAddress } from '../withdraw/destinations.ts';
import { savedVersion } from './savedVersion.ts';
import { forgetPrivate, shareSaved } from './shareSaved.ts';

const ANNA = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BEN = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

let items: Map<string, SavedItem>;
let version = 0;
let isOffline = false;
let sent: SavedChange[][] = [];
let stop: () => void = () => undefined;

const listed = (): SavedList => {
  if (isOffline) {
    throw new ApiProblem({ status: 0, code: 'network_error', title: '', detail: '' });
  }
  return { version, items: [...items.values()] };
};

const api = {
  getSaved: async () => listed(),
  changeSaved: async (changes: SavedChange[]) => {
    listed();
    sent.push(changes);
    version += 1;
    for (const { kind, key, value, changedAt } of changes) {
      const known = items.get(`${kind} ${key}`);
      if (known && known.changedAt > changedAt) continue;
      if (value === null) items.delete(`${kind} ${key}`);
      else items.set(`${kind} ${key}`, { kind, key, value, changedAt });
    }
    return listed();
  },
};

/** A change of another device, which the stream reports. */
async function changeElsewhere(kind: SavedItem['kind'], key: string, value: string) {
  items.set(`${kind} ${key}`, { kind, key, value, changedAt: new Date().toISOString() });
  version += 1;
  savedVersion.set(version);
  await vi.advanceTimersByTimeAsync(1_000);
}

async function share(owner: string = ANNA) {
  stop();
  stop = shareSaved(api, owner);
  await vi.advanceTimersByTimeAsync(1_000);
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
  items = new Map();
  version = 0;
  sent = [];
  isOffline = false;
  savedVersion.set(0);
  watchlistStore.set([]);
  knownAddresses.replace([]);
  chooseTheme('system');
});

afterEach(() => {
  stop();
  localStorage.removeItem('crossbook.saved');
  window.dispatchEvent(new StorageEvent('storage', { key: 'crossbook.saved', newValue: null }));
  vi.useRealTimers();
});

it('given a first sign-in, unites what browser and account hold', async () => {
  toggleWatched('HERE');
  saveAddress(BEN, 'Ben');
  items.set('watchlist THERE', {
    kind: 'watchlist',
    key: 'THERE',
    value: 'yes',
    changedAt: '2026-02-01T00:00:00.000Z',
  });
  await share();
  expect(watchlistStore.get().toSorted()).toEqual(['HERE', 'THERE']);
  expect([...items.keys()].toSorted()).toEqual([
    `contact ${BEN.toLowerCase()}`,
    'watchlist HERE',
    'watchlist THERE',
  ]);
  expect(knownAddresses.get()).toEqual([{ address: BEN, name: 'Ben' }]);
});

it('given a preference on both sides at the first sign-in, the account’s wins', async () => {
  chooseTheme('light');
  items.set('preference theme', {
    kind: 'preference',
    key: 'theme',
    value: 'dark',
    changedAt: '2026-02-01T00:00:00.000Z',
  });
  await share();
  expect(rememberedTheme()).toBe('dark');
});

it('given a change here, sends only that item; given one elsewhere, shows it', async () => {
  await share();
  toggleWatched('A');
  await vi.advanceTimersByTimeAsync(1_000);
  toggleWatched('B');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent.map((changes) => changes.map(({ key }) => key))).toEqual([['A'], ['B']]);
  await changeElsewhere('watchlist', 'C', 'yes');
  expect(watchlistStore.get()).toContain('C');
  expect(sent).toHaveLength(2);
});

it('given no connection, keeps the change with its time and sends it later', async () => {
  await share();
  isOffline = true;
  chooseTheme('dark');
  const changedAt = new Date().toISOString();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toEqual([]);
  isOffline = false;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sent).toEqual([[{ kind: 'preference', key: 'theme', value: 'dark', changedAt }]]);
});

it('given a removal, removes the item everywhere', async () => {
  toggleWatched('A');
  await share();
  toggleWatched('A');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(items.size).toBe(0);
  expect(watchlistStore.get()).toEqual([]);
});

it('given another account in this browser, it gets nothing of the first one', async () => {
  saveAddress(BEN, 'Ben');
  await share();
  items = new Map();
  await share(BEN);
  expect(items.size).toBe(0);
  expect(knownAddresses.get()).toEqual([]);
});

it('given a sign-out, the address book leaves the browser and returns with the next sign-in', async () => {
  saveAddress(BEN, 'Ben');
  toggleWatched('A');
  await share();
  stop();
  await forgetPrivate();
  expect(knownAddresses.get()).toEqual([]);
  expect(localStorage.getItem('crossbook.saved')).not.toMatch(/ben/i);
  expect(watchlistStore.get()).toEqual(['A']);
  await share();
  expect(knownAddresses.get()).toEqual([{ address: BEN, name: 'Ben' }]);
  expect(items.has(`contact ${BEN.toLowerCase()}`)).toBe(true);
});

it('given a sign-out in another tab that still shares, the account keeps the address book', async () => {
  saveAddress(BEN, 'Ben');
  await share();
  await forgetPrivate();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(items.has(`contact ${BEN.toLowerCase()}`)).toBe(true);
});

it('given what was added while signed out, the next sign-in keeps it', async () => {
  await share();
  stop();
  toggleWatched('SIGNED-OUT');
  await share();
  expect(items.has('watchlist SIGNED-OUT')).toBe(true);
});
