import { type CreateConnectorFn, createConnector } from 'wagmi';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { createPasskeyProvider } from './provider.ts';
import {
  forgetPasskey,
  PASSKEY_CONNECTOR,
  PASSKEY_NAME,
  rememberedPasskey,
} from './rememberedPasskey.ts';

/** Connects the passkey that this browser remembers, without a prompt. */
export function passkeyConnector(site: SiteConfig): CreateConnectorFn {
  const provider = createPasskeyProvider(site);
  const getAccounts = async () => {
    const passkey = rememberedPasskey();
    return passkey ? [passkey.address] : [];
  };
  return createConnector(() => ({
    id: PASSKEY_CONNECTOR,
    name: PASSKEY_NAME,
    type: 'passkey',
    connect: async ({ withCapabilities } = {}) => {
      const accounts = await getAccounts();
      if (accounts.length === 0) throw new Error('This browser has no passkey of Crossbook.');
      return {
        accounts: (withCapabilities
          ? accounts.map((address) => ({ address, capabilities: {} }))
          : accounts) as never,
        chainId: site.chainId,
      };
    },
    disconnect: async () => forgetPasskey(),
    getAccounts,
    getChainId: async () => site.chainId,
    getProvider: async () => provider,
    isAuthorized: async () => rememberedPasskey() !== undefined,
    onAccountsChanged: () => undefined,
    onChainChanged: () => undefined,
    onDisconnect: () => undefined,
  }));
}
