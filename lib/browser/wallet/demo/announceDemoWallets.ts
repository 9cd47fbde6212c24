import type { Hex } from 'viem';
import { type DemoWallet, SANDBOX_RPC_PATH, type SiteConfig } from '#lib/siteConfig.ts';
import { createDemoProvider, type DemoProvider } from './demoProvider.ts';

const ICON =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"%3E%3Crect width="32" height="32" rx="7" fill="%2314181f"/%3E%3Cpath d="M6 8.5 16 16 6 23.5Z" fill="%235fd0c5"/%3E%3Cpath d="M26 8.5 16 16l10 7.5Z" fill="%23f0a27e"/%3E%3C/svg%3E';

/** Announces the sandbox's demo wallets like any injected wallet (EIP-6963). */
export function announceDemoWallets(config: SiteConfig): void {
  if (!config.sandbox) return;
  const keys = window.crossbookDemoWallet?.privateKeys;
  for (const [index, wallet] of (keys ? walletsOf(keys) : config.demoWallets).entries()) {
    const provider = createDemoProvider({
      privateKey: wallet.privateKey,
      chainId: config.chainId,
      rpcUrl: new URL(SANDBOX_RPC_PATH, location.origin).href,
      storageKey: `crossbook.demo.${index}`,
      batches: wallet.batches,
    });
    announce(index, wallet.name, provider);
  }
}

/** Test keys: a plain wallet for each, and a smart one for the first. */
function walletsOf(keys: Hex[]): DemoWallet[] {
  const plain = keys.map((privateKey, index) => ({
    name: `Demo wallet ${index + 1}`,
    privateKey,
    batches: false,
  }));
  const [first] = plain;
  return first ? [...plain, { ...first, name: 'Demo smart wallet', batches: true }] : [];
}

function announce(index: number, name: string, provider: DemoProvider): void {
  const detail = Object.freeze({
    info: Object.freeze({
      uuid: crypto.randomUUID(),
      name,
      icon: ICON,
      rdns: `crossbook.demo.wallet${index + 1}`,
    }),
    provider,
  });
  const say = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', say);
  say();
}
