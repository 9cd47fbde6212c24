import type { CreateConnectorFn } from 'wagmi';
import { baseAccount, walletConnect } from 'wagmi/connectors';
import type { SiteConfig } from '#lib/siteConfig.ts';

/**
 * Connectors to wallets elsewhere, where the operator has configured them. Their SDKs are fetched
 * when such a wallet is chosen and not before.
 */
export function configuredConnectors(site: SiteConfig): CreateConnectorFn[] {
  const connectors: CreateConnectorFn[] = [];
  if (site.walletConnectProjectId !== null) {
    connectors.push(
      walletConnect({
        projectId: site.walletConnectProjectId,
        showQrModal: true,
        metadata: {
          name: 'Crossbook',
          description: 'Trade the outcomes of prediction markets.',
          url: location.origin,
          icons: [`${location.origin}/icon.svg`],
        },
      }),
    );
  }
  if (site.offersBaseAccount) {
    connectors.push(
      baseAccount({ appName: 'Crossbook', appLogoUrl: `${location.origin}/icon.svg` }),
    );
  }
  return connectors;
}
