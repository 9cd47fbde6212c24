import { createStore, type Store, useStore } from '#lib/browser/storage/store.ts';

/** The admin token, stored only in this tab until it is closed. */
const KEY = 'crossbook.operator';
const inner = createStore('');
let isLoaded = false;

function ensureLoaded(): void {
  if (isLoaded || typeof window === 'undefined') return;
  isLoaded = true;
  inner.set(sessionStorage.getItem(KEY) ?? '');
}

const store: Store<string> = {
  get() {
    ensureLoaded();
    return inner.get();
  },
  set(next) {
    isLoaded = true;
    if (next === '') sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, next);
    inner.set(next);
  },
  subscribe(listener) {
    ensureLoaded();
    return inner.subscribe(listener);
  },
};

export function adminToken(): string {
  return store.get();
}

/** Stores a token, or deletes it when it is empty. */
export function setAdminToken(text: string): void {
  store.set(text);
}

export function useAdminToken(): string {
  return useStore(store, '');
}
