import type { SiteConfig } from '#lib/siteConfig.ts';
import { useStore } from '#lib/store.ts';
import { NO_WALLET, REMEMBERED_WALLET_KEY, type WalletState, walletStore } from './walletStore.ts';

/**
 * Loads the wallet libraries; the first call fetches them, later ones are immediate. Said in this
 * way, the server's build leaves them out: they, and what they bring, are for browsers only.
 */
export async function loadWallet(site: SiteConfig) {
  const loaded = typeof window === 'undefined' ? undefined : await import('./engine.ts');
  if (!loaded) throw new Error('There are no wallets on the server.');
  const { walletEngine, ...actions } = loaded;
  return { ...actions, engine: walletEngine(site) };
}

/** Begins picking up the wallet of the last visit, if there was one. */
export function restoreRememberedWallet(site: SiteConfig): void {
  const remembered = rememberedWallet();
  if (!remembered || walletStore.get().status !== 'none') return;
  walletStore.set({ ...NO_WALLET, ...remembered, status: 'restoring' });
  void loadWallet(site).then(({ engine, restoreWallet }) => restoreWallet(engine));
}

function rememberedWallet(): Pick<WalletState, 'address' | 'walletName'> | undefined {
  const text = localStorage.getItem(REMEMBERED_WALLET_KEY);
  if (text === null) return undefined;
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

export function useWallet(): WalletState {
  return useStore(walletStore, NO_WALLET);
}
