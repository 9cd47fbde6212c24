import type { EIP1193Provider } from 'viem';
import type { CreateConnectorFn } from 'wagmi';
import { injected } from 'wagmi/connectors';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { PASSKEY_CONNECTOR, PASSKEY_NAME } from './connectorName.ts';
import { createPasskeyProvider } from './provider.ts';

/** Connects the passkey that this browser remembers, without a prompt. */
export function passkeyConnector(site: SiteConfig): CreateConnectorFn {
  const provider = createPasskeyProvider(site) as EIP1193Provider;
  return injected({
    // The passkey itself is forgotten instead of a mark that it is disconnected.
    shimDisconnect: false,
    target: { id: PASSKEY_CONNECTOR, name: PASSKEY_NAME, provider },
  });
}
