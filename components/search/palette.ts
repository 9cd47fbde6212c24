import { createBrowserStore, readTexts } from '#lib/browser/storage/browserStore.ts';
import { createStore, useStore } from '#lib/browser/storage/store.ts';

const opened = createStore(false);

/** Opens the palette; anything on the page may. */
export function openPalette(): void {
  opened.set(true);
}

export function closePalette(): void {
  opened.set(false);
}

export function usePaletteOpen(): boolean {
  return useStore(opened, false);
}

const NOTHING: string[] = [];
const MAX_RECENT = 5;
const recent = createBrowserStore('crossbook.searches', NOTHING, readTexts);

export function useRecentSearches(): string[] {
  return useStore(recent, NOTHING);
}

/** Keeps what was searched for, the last one first. */
export function rememberSearch(query: string): void {
  const text = query.trim();
  if (text === '') return;
  recent.set([text, ...recent.get().filter((one) => one !== text)].slice(0, MAX_RECENT));
}
