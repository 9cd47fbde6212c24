import { createBrowserStore } from '#lib/browser/storage/browserStore.ts';
import { useStore } from '#lib/browser/storage/store.ts';

const hidden = createBrowserStore('crossbook.hideAmounts', false, (value) =>
  typeof value === 'boolean' ? value : undefined,
);

/** Whether the visitor hides amounts from people nearby. */
export function useAmountsHidden(): boolean {
  return useStore(hidden, false);
}

export function toggleAmountsHidden(): void {
  hidden.set(!hidden.get());
}
