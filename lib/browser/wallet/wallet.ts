import { useStore } from '#lib/browser/storage/store.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { rememberedWallet } from './rememberedWallet.ts';
import { NO_WALLET, UNKNOWN_WALLET, type WalletState, walletStore } from './walletStore.ts';

/**
 * Loads the wallet libraries; the first call fetches them, later ones are immediate. Said in this
 * way, the server's build leaves them out: they, and what they bring, are for browsers only.
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

/** The wallet of the last visit is picked up once; whoever wants to use one waits for that. */
let restored: Promise<void> | undefined;

/** A wallet that does not answer must not keep anybody from leaving it. */
const RESTORE_PATIENCE_MS = 5_000;

function timeout(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, RESTORE_PATIENCE_MS));
}

/**
 * Shows the wallet of the last visit, if there was one, while its libraries load and reconnect it.
 */
export function restoreRememberedWallet(site: SiteConfig): void {
  if (walletStore.get().status !== 'unknown') return;
  const remembered = rememberedWallet();
  walletStore.set(remembered ? { ...NO_WALLET, ...remembered, status: 'restoring' } : NO_WALLET);
  if (!remembered) return;
  // Without them the page can still be read; whoever presses something is told.
  void loadWallet(site).catch(() => undefined);
}

export function useWallet(): WalletState {
  return useStore(walletStore, UNKNOWN_WALLET);
}
