import { createStore } from '#lib/store.ts';

/**
 * What the page knows of the wallet. The libraries that speak to wallets are large and are loaded
 * on demand; this small store is all that the first paint carries.
 */
export type WalletState = {
  status: 'none' | 'restoring' | 'connecting' | 'connected';
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

export const walletStore = createStore<WalletState>(NO_WALLET);

/** Where the last connected wallet is remembered, so that a reload picks it up again. */
export const REMEMBERED_WALLET_KEY = 'crossbook.wallet';
