import { developmentWallet } from '#contracts/deployment/developmentKeys.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import type { Config } from '../platform/config/config.ts';

/** The part of the configuration that every visitor may see. Secrets never pass through here. */
export function getPublicConfig(config: Config): SiteConfig {
  const { chain, auth } = config;
  return {
    apiKey: auth.publishableKey,
    chainId: chain.id,
    contracts: chain.contracts,
    explorerUrl: chain.sandbox ? null : chain.explorerUrl.replace(/\/$/, ''),
    relays: config.relay !== undefined,
    sandbox: chain.sandbox,
    demoWallets: chain.sandbox ? demoWallets() : [],
    walletConnectProjectId: config.wallets.walletConnectProjectId ?? null,
    offersBaseAccount: config.wallets.baseAccount,
  };
}

/** The keys of these wallets are public on every development chain and hold nothing elsewhere. */
const DEMO_WALLETS = [
  { name: 'Demo wallet 1', index: 5, batches: false },
  { name: 'Demo wallet 2', index: 6, batches: false },
  { name: 'Demo smart wallet', index: 7, batches: true },
];

function demoWallets(): SiteConfig['demoWallets'] {
  return DEMO_WALLETS.map(({ name, index, batches }) => ({
    name,
    batches,
    ...developmentWallet(index),
  }));
}
