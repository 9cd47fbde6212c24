import { createBrowserStore, readTexts } from '#lib/browser/storage/browserStore.ts';
import { useStore } from '#lib/browser/storage/store.ts';

const NOTHING: string[] = [];
const MAX_RECENT = 5;
const recent = createBrowserStore('crossbook.searches', NOTHING, readTexts);

export function useRecentSearches(): string[] {
  return useStore(recent, NOTHING);
}

/** Stores a search, newest first. */
export function rememberSearch(query: string): void {
  const text = query.trim();
  if (text === '') return;
  recent.set([text, ...recent.get().filter((one) => one !== text)].slice(0, MAX_RECENT));
}
