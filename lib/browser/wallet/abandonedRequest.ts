import { createStore } from '#lib/browser/storage/store.ts';

/**
 * The message about the last request to a wallet that disconnected or changed meanwhile: the
 * component that sent it is usually gone with the wallet. Undefined after the next request.
 */
export const abandonedRequest = createStore<string | undefined>(undefined);
