import { getAddress } from 'viem';
import type { Account } from '#lib/api/schemas/account.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { USUAL_DEADLINE_SECONDS, withdrawalTypedData } from '#lib/withdraw/withdrawalToSign.ts';
import type { Withdrawal } from './WithdrawReview.tsx';

type Hex = `0x${string}`;

/** The page builds the message itself, so the wallet signs exactly what the review shows. */
export async function signWithdrawal(
  site: SiteConfig,
  account: Account,
  { asset, amountMicros, destination }: Withdrawal,
  clientId: string,
): Promise<{ signature: Hex; deadline: number }> {
  const deadline = Math.floor(Date.now() / 1_000) + USUAL_DEADLINE_SECONDS;
  const { usdc, outcomeToken } = site.contracts;
  const typedData = withdrawalTypedData({
    chainId: site.chainId,
    account: account.smartAccountAddress as Hex,
    token: asset.kind === 'usdc' ? usdc : outcomeToken,
    tokenId: asset.kind === 'usdc' ? 0n : BigInt(asset.tokenId),
    amountMicros,
    to: getAddress(destination.toLowerCase()),
    clientId,
    deadlineSeconds: deadline,
  });
  const { engine, signTyped, ensureOurChain } = await loadWallet(site);
  // Wallets refuse to sign for another network than their own.
  await ensureOurChain(engine);
  return { signature: await signTyped(engine, account.owner as Hex, typedData), deadline };
}
