import { createStore, useStore } from '#lib/browser/storage/store.ts';

/** The visitor's own key for the examples; it stays in this page and is gone with it. */
const ownKey = createStore('');

export function useOwnKey(): string {
  return useStore(ownKey, '');
}

export function setOwnKey(secret: string): void {
  ownKey.set(secret.trim());
}
