import type { Account } from '#lib/api/schemas/account.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import {
  covers,
  type GrantLimits,
  grantQueryOf,
  limitsProblem,
  matchesChosenLimits,
  type RequiredLimits,
} from '#lib/browser/account/grantLimits.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { chosenLimits, limitsDraft } from './chosenLimits.ts';

export type GrantAsked = {
  /** Overrides the limits chosen on the page. */
  limits?: GrantLimits;
  /** The limits must cover this to be useful. */
  need?: RequiredLimits | undefined;
};

/**
 * Has the owner sign the permission with the limits on the page, and records it.
 * @throws also when the service returns other limits than those
 */
export async function signGrant(
  { api, site }: { api: TradingClient; site: SiteConfig },
  account: Account,
  asked: GrantAsked,
): Promise<void> {
  const limits = asked.limits ?? chosenLimits(account);
  const problem = limitsProblem(limits);
  if (problem) throw new Error(problem);
  if (asked.need && !covers(limits, asked.need)) {
    throw new Error(
      'These limits are too low for this order. Raise them and sign again. Nothing was signed.',
    );
  }
  const address = account.owner as `0x${string}`;
  const { typedData } = await api.getGrant({ address, ...grantQueryOf(limits) });
  if (!matchesChosenLimits(typedData.message, limits, Date.now())) {
    throw new Error('The limits changed. Check them and sign again.');
  }
  const { engine, signTyped, ensureOurChain } = await loadWallet(site);
  // Wallets refuse to sign for another network than their own.
  await ensureOurChain(engine);
  const signature = await signTyped(engine, address, typedData);
  await api.recordGrant({ grant: typedData.message, signature, address });
  limitsDraft.drop();
}
