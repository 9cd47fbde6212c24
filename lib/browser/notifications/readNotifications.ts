import { createBrowserStore, readTexts } from '../storage/browserStore.ts';
import { useStore } from '../storage/store.ts';

/** For each account, by its lower-case owner, the read notifications of the latest list. */
type ReadNews = Readonly<Record<string, readonly string[]>>;

const NOTHING: ReadNews = {};
/** Wallets with read marks in one browser, the most recent ones. */
const MOST_ACCOUNTS = 8;

export const readNotificationsStore = createBrowserStore<ReadNews>(
  'crossbook.readNews',
  NOTHING,
  (value) => {
    if (typeof value !== 'object' || value === null) return undefined;
    const lists = Object.entries(value).map(([owner, ids]) => [owner, readTexts(ids)] as const);
    return lists.every(([, ids]) => ids) ? (value as ReadNews) : undefined;
  },
);

/** The notifications read by an owner in this browser; undefined if it has no marks for them. */
export function useReadNotifications(owner: string): readonly string[] | undefined {
  return useStore(readNotificationsStore, NOTHING)[owner.toLowerCase()];
}

/** Marks everything listed as read; marks of unlisted items are dropped. */
export function markNotificationsRead(owner: string, listed: readonly string[]): void {
  const key = owner.toLowerCase();
  const { [key]: before, ...others } = readNotificationsStore.get();
  if (before && before.length === listed.length && listed.every((id) => before.includes(id))) {
    return;
  }
  const kept = Object.entries(others).slice(1 - MOST_ACCOUNTS);
  readNotificationsStore.set(Object.fromEntries([...kept, [key, listed]]));
}

/** The listed notifications that are unread. */
export function unreadOf<Item extends { id: string }>(
  items: readonly Item[],
  read: readonly string[] | undefined,
): Item[] {
  return read === undefined ? [] : items.filter(({ id }) => !read.includes(id));
}
