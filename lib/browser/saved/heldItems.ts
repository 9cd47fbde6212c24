import type { SavedItem } from '#lib/api/schemas/saved.ts';
import { readViews, savedViewsStore } from '../market/savedViews.ts';
import { watchlistStore } from '../market/watchlist.ts';
import { readNotificationsStore } from '../notifications/readNotifications.ts';
import { hiddenAmountsStore } from '../portfolio/hiddenAmounts.ts';
import { orderSoundStore } from '../sound/orderSound.ts';
import { readTexts } from '../storage/browserStore.ts';
import { chooseTheme, rememberedTheme, type Theme, themeStore } from '../theme.ts';
import { knownAddresses } from '../withdraw/destinations.ts';
import { bookOf, itemsOfBook } from './bookItems.ts';
import type { HeldItem } from './savedChanges.ts';

const STORES = [
  watchlistStore,
  savedViewsStore,
  knownAddresses,
  themeStore,
  orderSoundStore,
  hiddenAmountsStore,
  readNotificationsStore,
];

/** Calls back when this or another tab changes what the browser holds. */
export function followHeld(listener: () => void): () => void {
  const stops = STORES.map((store) => store.subscribe(listener));
  return () => {
    for (const stop of stops) stop();
  };
}

/** What the browser holds for this owner, newest first within each kind. */
export function heldItems(owner: string): HeldItem[] {
  return [
    ...watchlistStore.get().map((key) => ({ kind: 'watchlist' as const, key, value: 'yes' })),
    ...savedViewsStore.get().map(({ href, name }) => ({
      kind: 'view' as const,
      key: href,
      value: name,
    })),
    ...itemsOfBook(knownAddresses.get()),
    ...preferences(owner),
  ];
}

/** Those that differ from the default. */
function preferences(owner: string): HeldItem[] {
  const theme = rememberedTheme();
  const read = readNotificationsStore.get()[owner.toLowerCase()];
  const chosen: [string, string | undefined][] = [
    ['theme', theme === 'system' ? undefined : theme],
    ['sound', orderSoundStore.get() ? 'on' : undefined],
    ['amounts', hiddenAmountsStore.get() ? 'hidden' : undefined],
    ['readNotifications', read && JSON.stringify(read)],
  ];
  return chosen.flatMap(([key, value]) =>
    value === undefined ? [] : [{ kind: 'preference', key, value }],
  );
}

/** Makes the browser hold exactly these. */
export function holdItems(owner: string, items: readonly HeldItem[]): void {
  const of = (kind: SavedItem['kind']) => items.filter((item) => item.kind === kind);
  const preference = (key: string) => of('preference').find((item) => item.key === key)?.value;
  setIfNew(
    watchlistStore,
    of('watchlist').map(({ key }) => key),
  );
  setIfNew(
    savedViewsStore,
    readViews(of('view').map(({ key, value }) => ({ href: key, name: value }))) ?? [],
  );
  const book = bookOf([...of('contact'), ...of('recipient')]);
  if (!isSame(book, knownAddresses.get())) knownAddresses.replace(book);
  const theme = themeOf(preference('theme'));
  if (theme !== rememberedTheme()) chooseTheme(theme);
  setIfNew(orderSoundStore, preference('sound') === 'on');
  setIfNew(hiddenAmountsStore, preference('amounts') === 'hidden');
  const read = readTexts(parsed(preference('readNotifications')));
  if (!read) return;
  const key = owner.toLowerCase();
  setIfNew(readNotificationsStore, { ...readNotificationsStore.get(), [key]: read });
}

function setIfNew<T>(store: { get(): T; set(next: T): void }, next: T): void {
  if (!isSame(next, store.get())) store.set(next);
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function themeOf(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system';
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
