import { SAVED_LIMITS } from '#lib/api/savedLimits.ts';
import { createBrowserStore, readTexts } from '../storage/browserStore.ts';
import { useStore } from '../storage/store.ts';

/** Events on the visitor's watchlist, newest first; `saved/` shares it with the account's devices. */
const NOTHING: string[] = [];
export const watchlistStore = createBrowserStore('crossbook.watchlist', NOTHING, readTexts);

/** Each event costs a request when the list is shown. */
export const MAX_WATCHED = SAVED_LIMITS.watchlist;

export function useWatchlist(): string[] {
  return useStore(watchlistStore, NOTHING);
}

/** Adds the event, or removes it. */
export function toggleWatched(eventTicker: string): void {
  const watched = watchlistStore.get();
  watchlistStore.set(
    watched.includes(eventTicker)
      ? watched.filter((ticker) => ticker !== eventTicker)
      : [eventTicker, ...watched].slice(0, MAX_WATCHED),
  );
}
