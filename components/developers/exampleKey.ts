import { createStore, useStore } from '#lib/browser/storage/store.ts';

/** The visitor's own key for the examples; kept in memory until the page is left. */
const exampleKey = createStore('');

export function useExampleKey(): string {
  return useStore(exampleKey, '');
}

export function setExampleKey(secret: string): void {
  exampleKey.set(secret.trim());
}
