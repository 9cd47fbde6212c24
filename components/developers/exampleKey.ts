import { createStore, useStore } from '#lib/browser/storage/store.ts';

/** The visitor's own key for the examples; it stays in this page and is gone with it. */
const exampleKey = createStore('');

export function useExampleKey(): string {
  return useStore(exampleKey, '');
}

export function setExampleKey(secret: string): void {
  exampleKey.set(secret.trim());
}
