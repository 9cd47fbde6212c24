import { createBrowserStore } from '#lib/browser/storage/browserStore.ts';
import { useStore } from '#lib/browser/storage/store.ts';

/** The admin token, stored only in this tab until it is closed; empty while there is none. */
const store = createBrowserStore(
  'crossbook.operator',
  '',
  (value) => (typeof value === 'string' ? value : undefined),
  () => sessionStorage,
);

export const adminToken = () => store.get();
export const setAdminToken = (text: string) => store.set(text);
export const useAdminToken = () => useStore(store, '');
