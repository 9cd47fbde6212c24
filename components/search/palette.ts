import { createStore, useStore } from '#lib/browser/storage/store.ts';

const opened = createStore(false);

export function openPalette(): void {
  opened.set(true);
}

export function closePalette(): void {
  opened.set(false);
}

export function usePaletteOpen(): boolean {
  return useStore(opened, false);
}
