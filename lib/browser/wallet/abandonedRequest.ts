import { createStore } from '#lib/browser/storage/store.ts';

/**
 * What to tell of the last question to a wallet that was disconnected or changed meanwhile: who had
 * asked is mostly gone with the wallet. Undefined once a wallet is asked anew.
 */
export const abandonedRequest = createStore<string | undefined>(undefined);
