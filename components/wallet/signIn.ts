import type { TradingClient } from '#lib/api/tradingClient.ts';
import { signInBrowser } from '#lib/browser/session/renewSession.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';

type App = { api: TradingClient; site: SiteConfig };

let underWay: { address: string; over: Promise<void> } | undefined;

/** Parts of a page that sign in at the same time share one signature request. */
export function signInOnce(app: App, address: `0x${string}`): Promise<void> {
  if (underWay?.address === address) return underWay.over;
  const over = proveOwner(app, address).finally(() => {
    if (underWay?.over === over) underWay = undefined;
  });
  underWay = { address, over };
  return over;
}

/** Proves the visitor's control of the wallet: EIP-4361 message, signature, session. */
async function proveOwner({ api, site }: App, address: `0x${string}`): Promise<void> {
  const { message } = await api.getSignInMessage(address);
  const { engine, signText } = await loadWallet(site);
  const signature = await signText(engine, address, message);
  await signInBrowser({ message, signature });
}
