import { createBrowserStore } from '../storage/browserStore.ts';
import { useStore } from '../storage/store.ts';

/** Whether amounts are hidden from people nearby. */
export const hiddenAmountsStore = createBrowserStore('crossbook.hideAmounts', false, (value) =>
  typeof value === 'boolean' ? value : undefined,
);

export function useAmountsHidden(): boolean {
  return useStore(hiddenAmountsStore, false);
}

export function toggleAmountsHidden(): void {
  hiddenAmountsStore.set(!hiddenAmountsStore.get());
}
