import { createStore, useStore } from './storage/store.ts';

export type Theme = 'system' | 'light' | 'dark';

/** Also read by the script in firstPaintScript.ts, before the first paint. */
const STORAGE_KEY = 'crossbook.theme';

export const themeStore = createStore<Theme>('system');

export function rememberedTheme(): Theme {
  const text = typeof window === 'undefined' ? null : localStorage.getItem(STORAGE_KEY);
  return text === 'light' || text === 'dark' ? text : 'system';
}

/** Selects a theme, or follows the system again. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(STORAGE_KEY);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(STORAGE_KEY, theme);
    document.documentElement.dataset.theme = theme;
  }
  themeStore.set(theme);
}

export function useTheme(): Theme {
  const chosen = useStore(themeStore, 'system');
  return chosen === 'system' ? rememberedTheme() : chosen;
}
