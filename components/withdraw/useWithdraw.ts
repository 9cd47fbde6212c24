'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useRef } from 'react';
import { useApp } from '#components/app/useApp.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import type { WithdrawRequestInput } from '#lib/api/schemas/withdraw.ts';
import { explainUnknownOutcome, isUnknownOutcome } from '#lib/browser/api/unknownOutcome.ts';
import { rememberDestination } from '#lib/browser/withdraw/destinations.ts';
import type { WithdrawAsset } from '#lib/browser/withdraw/withdrawState.ts';
import { sameAddress } from '#lib/format/address.ts';
import { formatMicros } from '#lib/money.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';

export type Withdrawal = { asset: WithdrawAsset; amountMicros: bigint; destination: string };

/**
 * Cases that the owner's wallet signs: any other destination, and accounts without a permission.
 */
export function needsSignature(account: Account, destination: string): boolean {
  const { grant, owner } = account;
  const isPermitted = grant !== null && grant.status !== 'expired';
  return !isPermitted || !sameAddress(destination, owner);
}

/** Sends a withdrawal once; an attempt with an unknown outcome is repeated unchanged. */
export function useWithdraw(account: Account) {
  const { api, site } = useApp();
  const router = useRouter();
  const attempt = useRef<{ key: string; request: WithdrawRequestInput }>(undefined);
  return useMutation({
    mutationFn: async (withdrawal: Withdrawal) => {
      const { asset, amountMicros, destination } = withdrawal;
      const token = asset.kind === 'usdc' ? asset.kind : asset.tokenId;
      const key = `${token} ${amountMicros} ${destination}`;
      if (attempt.current?.key !== key) {
        const request = requestOf(site, withdrawal);
        const signed = needsSignature(account, destination)
          ? await import('./signWithdrawal.ts').then(({ signWithdrawal }) =>
              signWithdrawal(site, account, withdrawal, request.clientId),
            )
          : {};
        attempt.current = { key, request: { ...request, ...signed } };
      }
      try {
        const { intent } = await api.withdraw(attempt.current.request);
        attempt.current = undefined;
        rememberDestination(destination);
        router.push(`/orders/${intent.id}`);
      } catch (problem) {
        if (!isUnknownOutcome(problem)) attempt.current = undefined;
        throw explainUnknownOutcome(problem, 'your withdrawal');
      }
    },
  });
}

function requestOf({ contracts }: SiteConfig, withdrawal: Withdrawal) {
  const { asset, amountMicros, destination } = withdrawal;
  const token =
    asset.kind === 'usdc'
      ? ({ tokenType: 'erc20', tokenAddress: contracts.usdc } as const)
      : ({
          tokenType: 'erc1155',
          tokenAddress: contracts.outcomeToken,
          tokenId: asset.tokenId,
        } as const);
  return {
    intentType: 'Withdraw' as const,
    destinationAddress: destination,
    amount: formatMicros(amountMicros),
    clientId: crypto.randomUUID(),
    ...token,
  };
}
