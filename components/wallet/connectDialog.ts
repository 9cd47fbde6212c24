import { createStore, useStore } from '#lib/browser/storage/store.ts';

const opened = createStore(false);

/** Opens the wallet dialog from anywhere on the page. */
export function openConnectDialog(): void {
  opened.set(true);
}

export function closeConnectDialog(): void {
  opened.set(false);
}

export function useConnectDialogOpen(): boolean {
  return useStore(opened, false);
}
