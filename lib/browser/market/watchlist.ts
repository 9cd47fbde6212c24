import { createBrowserStore, readTexts } from '../storage/browserStore.ts';
import { useStore } from '../storage/store.ts';

/** Events the visitor follows, newest first. Kept in the browser; nobody else learns of it. */
const NOTHING: string[] = [];
const store = createBrowserStore('crossbook.watchlist', NOTHING, readTexts);

/** More than anyone looks at; each one costs a request when the list is shown. */
export const MAX_WATCHED = 50;

export function useWatchlist(): string[] {
  return useStore(store, NOTHING);
}

/** Adds the event, or takes it off. */
export function toggleWatched(eventTicker: string): void {
  const watched = store.get();
  store.set(
    watched.includes(eventTicker)
      ? watched.filter((ticker) => ticker !== eventTicker)
      : [eventTicker, ...watched].slice(0, MAX_WATCHED),
  );
}
