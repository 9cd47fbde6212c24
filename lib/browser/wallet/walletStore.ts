import { createStore } from '#lib/browser/storage/store.ts';
import { REMEMBERED_WALLET_KEY } from '#lib/firstPaintScript.ts';

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

export type RememberedWallet = { address: `0x${string}`; walletName: string | undefined };

/** The wallet of the last visit; an unreadable entry is ignored. */
export function rememberedWallet(): RememberedWallet | undefined {
  const text = localStorage.getItem(REMEMBERED_WALLET_KEY);
  if (text === null) return undefined;
  const found = parse(text);
  if (!found) forgetWallet();
  return found;
}

function parse(text: string): RememberedWallet | undefined {
  try {
    const { address, walletName } = JSON.parse(text) as Record<string, unknown>;
    if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address)) return undefined;
    return {
      address: address as `0x${string}`,
      walletName: typeof walletName === 'string' ? walletName : undefined,
    };
  } catch {
    return undefined;
  }
}

export function rememberWallet(wallet: RememberedWallet): void {
  localStorage.setItem(REMEMBERED_WALLET_KEY, JSON.stringify(wallet));
}

export function forgetWallet(): void {
  localStorage.removeItem(REMEMBERED_WALLET_KEY);
}
