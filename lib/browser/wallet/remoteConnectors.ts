import type { CreateConnectorFn } from 'wagmi';
import { baseAccount, walletConnect } from 'wagmi/connectors';
import type { SiteConfig } from '#lib/siteConfig.ts';

/**
 * Connectors to external wallets, if configured. Their SDKs load only when such a wallet is chosen.
 */
export function configuredConnectors(site: SiteConfig): CreateConnectorFn[] {
  const connectors: CreateConnectorFn[] = [];
  if (site.walletConnectProjectId !== null) {
    connectors.push(
      onceChosen(
        walletConnect({
          projectId: site.walletConnectProjectId,
          // Our own dialog shows the link; theirs would load half a megabyte.
          showQrModal: false,
          telemetryEnabled: false,
          metadata: {
            name: 'Crossbook',
            description: 'Trade the outcomes of prediction markets.',
            url: location.origin,
            icons: [`${location.origin}/icon.svg`],
          },
        }),
      ),
    );
  }
  if (site.offersBaseAccount) {
    connectors.push(
      onceChosen(
        baseAccount({
          appName: 'Crossbook',
          appLogoUrl: `${location.origin}/icon.svg`,
          preference: { telemetry: false },
        }),
      ),
    );
  }
  return connectors;
}

/** wagmi sets up every listed connector, which would load its SDK at once. */
function onceChosen(connector: CreateConnectorFn): CreateConnectorFn {
  return (config) => ({ ...connector(config), setup: async () => undefined });
}
