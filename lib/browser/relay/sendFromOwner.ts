import type { Account } from '#lib/api/schemas/account.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import type { SendProgress, WalletCall } from '#lib/browser/wallet/sendCalls.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import type { RelayDraft } from './relayDraft.ts';

type FromOwner = {
  calls: WalletCall[];
  draft: RelayDraft | undefined;
  /** Of a wallet with ether, too. */
  isAlwaysRelayed?: boolean;
};

/**
 * Has the owner sign a message that Crossbook sends, or else the owner's wallet send the calls, on
 * the right network.
 */
export async function sendFromOwner(
  service: { api: TradingClient; site: SiteConfig },
  account: Account,
  { calls, draft, isAlwaysRelayed = false }: FromOwner,
  onProgress: (progress: SendProgress) => void = () => undefined,
) {
  const { site } = service;
  const [{ engine, ensureOurChain }, { sendCallsInOrder }, { findRelayTerms, relayMessage }] =
    await Promise.all([
      loadWallet(site),
      import('#lib/browser/wallet/sendCalls.ts'),
      import('./relayMessage.ts'),
    ]);
  const terms = draft && (await findRelayTerms(service, account, draft, isAlwaysRelayed));
  if (terms) return await relayMessage(service, account, draft, terms, onProgress);
  await ensureOurChain(engine);
  await sendCallsInOrder(engine, { from: account.owner as `0x${string}`, calls }, onProgress);
}
