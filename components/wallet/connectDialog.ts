import { createStore, useStore } from '#lib/browser/storage/store.ts';

const opened = createStore(false);

/** Opens the dialog that offers the wallets; anything on the page may. */
export function openConnectDialog(): void {
  opened.set(true);
}

export function closeConnectDialog(): void {
  opened.set(false);
}

export function useConnectDialogOpen(): boolean {
  return useStore(opened, false);
}
