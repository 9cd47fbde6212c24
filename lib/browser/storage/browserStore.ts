import { createStore, type Store } from './store.ts';

/**
 * A store whose value lives in this browser and is shared by all its tabs. An unreadable value
 * counts as absent; the server and the hydrating page see `initial`. In `sessionStorage` it belongs
 * to one tab.
 */
export function createBrowserStore<T>(
  key: string,
  initial: T,
  read: (value: unknown) => T | undefined,
  storage: () => Storage = () => localStorage,
): Store<T> {
  const store = createStore(initial);
  let isLoaded = false;

  const load = (text: string | null) => {
    store.set(text === null ? initial : (read(parsed(text)) ?? initial));
  };
  const ensureLoaded = () => {
    if (isLoaded || typeof window === 'undefined') return;
    isLoaded = true;
    load(storage().getItem(key));
    window.addEventListener('storage', (event) => {
      if (event.key === key) load(event.newValue);
    });
  };

  return {
    get() {
      ensureLoaded();
      return store.get();
    },
    set(next) {
      ensureLoaded();
      storage().setItem(key, JSON.stringify(next));
      store.set(next);
    },
    subscribe(listener) {
      ensureLoaded();
      return store.subscribe(listener);
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A list of strings, for stores of tickers and the like; undefined when it is not one. */
export function readTexts(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? value
    : undefined;
}
