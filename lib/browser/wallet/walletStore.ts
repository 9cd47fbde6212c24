import { createStore } from '#lib/browser/storage/store.ts';

/**
 * The page's wallet state. The wallet libraries are large and load on demand; the first paint needs
 * only this small store.
 */
export type WalletState = {
  /** `unknown` until the page has checked for a remembered wallet. */
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
