import type { Account } from '#lib/api/schemas/account.ts';
import type { SendProgress, WalletCall } from '#lib/browser/wallet/sendCalls.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';

/** Has the owner's wallet send the calls, on the right network. */
export async function sendFromOwner(
  site: SiteConfig,
  { owner }: Account,
  calls: WalletCall[],
  onProgress: (progress: SendProgress) => void = () => undefined,
) {
  const [{ engine, ensureOurChain }, { sendCallsInOrder }] = await Promise.all([
    loadWallet(site),
    import('#lib/browser/wallet/sendCalls.ts'),
  ]);
  await ensureOurChain(engine);
  await sendCallsInOrder(engine, { from: owner as `0x${string}`, calls }, onProgress);
}
