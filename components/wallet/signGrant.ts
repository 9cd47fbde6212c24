import { type GrantLimits, grantQueryOf, saysWhatWasChosen } from '#lib/account/grantLimits.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { loadWallet } from '#lib/wallet/wallet.ts';
import { limitsBefore } from './limitsBefore.ts';

/**
 * Has the owner sign the permission, with the chosen limits, those before or the usual ones, and
 * records it.
 * @throws also when the service answers with other limits than those
 */
export async function signGrant(
  { api, site }: { api: TradingClient; site: SiteConfig },
  address: `0x${string}`,
  { chosen, before }: { chosen: GrantLimits | undefined; before: Account | undefined },
): Promise<void> {
  const limits = chosen ?? limitsBefore(before);
  const { typedData } = await api.getGrant({ address, ...(limits && grantQueryOf(limits)) });
  if (limits && !saysWhatWasChosen(typedData.message, limits)) {
    throw new Error('The service answered with other limits. Nothing was signed.');
  }
  const { engine, signTyped, ensureOurChain } = await loadWallet(site);
  // Wallets refuse to sign for another network than the one they are on.
  await ensureOurChain(engine);
  const signature = await signTyped(engine, address, typedData);
  await api.recordGrant({ grant: typedData.message, signature, address });
}
