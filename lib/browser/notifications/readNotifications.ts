import { createBrowserStore, readTexts } from '../storage/browserStore.ts';
import { useStore } from '../storage/store.ts';

/** For each account, by its lower-case owner, the news that were read of those listed last. */
type ReadNews = Readonly<Record<string, readonly string[]>>;

const NOTHING: ReadNews = {};
/** Wallets that one browser remembers this of, the last ones used. */
const MOST_ACCOUNTS = 8;

const store = createBrowserStore<ReadNews>('crossbook.readNews', NOTHING, (value) => {
  if (typeof value !== 'object' || value === null) return undefined;
  const lists = Object.entries(value).map(([owner, ids]) => [owner, readTexts(ids)] as const);
  return lists.every(([, ids]) => ids) ? (value as ReadNews) : undefined;
});

/** What this browser has shown to an owner; undefined where it has never counted for them. */
export function useReadNotifications(owner: string): readonly string[] | undefined {
  return useStore(store, NOTHING)[owner.toLowerCase()];
}

/** Everything that is listed now is read; what is no longer listed need not be remembered. */
export function markNotificationsRead(owner: string, listed: readonly string[]): void {
  const key = owner.toLowerCase();
  const { [key]: before, ...others } = store.get();
  if (before && before.length === listed.length && listed.every((id) => before.includes(id))) {
    return;
  }
  const kept = Object.entries(others).slice(1 - MOST_ACCOUNTS);
  store.set(Object.fromEntries([...kept, [key, listed]]));
}

/** What was listed before without being looked at. */
export function unreadOf<Item extends { id: string }>(
  items: readonly Item[],
  read: readonly string[] | undefined,
): Item[] {
  return read === undefined ? [] : items.filter(({ id }) => !read.includes(id));
}
