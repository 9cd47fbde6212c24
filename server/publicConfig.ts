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
    demoWallets: chain.sandbox ? DEMO_WALLETS : [],
  };
}

/**
 * Development keys that every local chain of this kind publishes (mnemonic "test test … junk").
 * They are no secret and hold nothing on any real chain.
 */
const DEMO_WALLETS: SiteConfig['demoWallets'] = [];
