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
      onceChosen(
        walletConnect({
          projectId: site.walletConnectProjectId,
          // The link is shown by our own dialog; theirs would bring half a megabyte.
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

/** A connector is set up as soon as it can be chosen, for which it would fetch its SDK. */
function onceChosen(connector: CreateConnectorFn): CreateConnectorFn {
  return (config) => ({ ...connector(config), setup: async () => undefined });
}
