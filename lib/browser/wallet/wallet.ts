import { useStore } from '#lib/browser/storage/store.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import {
  NO_WALLET,
  rememberedWallet,
  UNKNOWN_WALLET,
  type WalletState,
  walletStore,
} from './walletStore.ts';

/**
 * Loads the wallet libraries; the first call fetches them, later ones are immediate. This condition
 * keeps them out of the server's build: they are for browsers only.
 */
export async function loadWallet(site: SiteConfig) {
  const loaded = typeof window === 'undefined' ? undefined : await import('./engine.ts');
  if (!loaded) throw new Error('There are no wallets on the server.');
  const { walletEngine, restoreWallet, ...actions } = loaded;
  const engine = walletEngine(site);
  if (walletStore.get().status === 'restoring') {
    restored ??= Promise.race([restoreWallet(engine), timeout()]);
  }
  await restored;
  return { ...actions, engine };
}

/** The wallet of the last visit is restored once; every caller that needs a wallet waits for it. */
let restored: Promise<void> | undefined;

/** An unresponsive wallet must not block a disconnect. */
const RESTORE_PATIENCE_MS = 5_000;

function timeout(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, RESTORE_PATIENCE_MS));
}

/** Shows the wallet of the last visit, if any, while its libraries load and reconnect it. */
export function restoreRememberedWallet(site: SiteConfig): void {
  if (walletStore.get().status !== 'unknown') return;
  const remembered = rememberedWallet();
  walletStore.set(remembered ? { ...NO_WALLET, ...remembered, status: 'restoring' } : NO_WALLET);
  if (!remembered) return;
  // The page is readable without them; pressing a wallet button reports the error.
  void loadWallet(site).catch(() => undefined);
}

export function useWallet(): WalletState {
  return useStore(walletStore, UNKNOWN_WALLET);
}
