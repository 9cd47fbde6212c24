import { developmentWallet } from '#contracts/deployment/developmentKeys.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import type { Config } from './config.ts';

/** The part of the configuration that every visitor may see. Secrets never pass through here. */
export function getPublicConfig(config: Config): SiteConfig {
  const { chain, auth } = config;
  return {
    apiKey: auth.publishableKey,
    chainId: chain.id,
    contracts: chain.contracts,
    explorerUrl: chain.sandbox ? null : chain.explorerUrl.replace(/\/$/, ''),
    sandbox: chain.sandbox,
    demoWallets: chain.sandbox ? demoWallets() : [],
  };
}

/** The keys of these wallets are public on every development chain and hold nothing elsewhere. */
const DEMO_WALLET_INDEXES = [5, 6];

function demoWallets(): SiteConfig['demoWallets'] {
  return DEMO_WALLET_INDEXES.map((index, position) => ({
    name: `Demo wallet ${position + 1}`,
    privateKey: developmentWallet(index).privateKey,
  }));
}
