import { createBrowserStore, readTexts } from '../storage/browserStore.ts';
import { useStore } from '../storage/store.ts';

/** Events on the visitor's watchlist, newest first. Stored only in the browser. */
const NOTHING: string[] = [];
const store = createBrowserStore('crossbook.watchlist', NOTHING, readTexts);

/** Each event costs a request when the list is shown. */
export const MAX_WATCHED = 50;

export function useWatchlist(): string[] {
  return useStore(store, NOTHING);
}

/** Adds the event, or removes it. */
export function toggleWatched(eventTicker: string): void {
  const watched = store.get();
  store.set(
    watched.includes(eventTicker)
      ? watched.filter((ticker) => ticker !== eventTicker)
      : [eventTicker, ...watched].slice(0, MAX_WATCHED),
  );
}
