import { createStore, useStore } from '#lib/browser/storage/store.ts';

const opened = createStore(false);

/** Opens the palette from anywhere on the page. */
export function openPalette(): void {
  opened.set(true);
}

export function closePalette(): void {
  opened.set(false);
}

export function usePaletteOpen(): boolean {
  return useStore(opened, false);
}
