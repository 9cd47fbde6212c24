import { createStore } from '#lib/browser/storage/store.ts';

/**
 * What the page knows of the wallet. The libraries that speak to wallets are large and are loaded
 * on demand; this small store is all that the first paint carries.
 */
export type WalletState = {
  /** `unknown` until the page has looked whether the browser remembers one. */
  status: 'unknown' | 'none' | 'restoring' | 'connecting' | 'connected';
  address: `0x${string}` | undefined;
  chainId: number | undefined;
  walletName: string | undefined;
};

export const NO_WALLET: WalletState = {
  status: 'none',
  address: undefined,
  chainId: undefined,
  walletName: undefined,
};

export const UNKNOWN_WALLET: WalletState = { ...NO_WALLET, status: 'unknown' };

export const walletStore = createStore(UNKNOWN_WALLET);
