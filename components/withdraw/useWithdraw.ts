'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useRef } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { isInDoubt, toldOfDoubt } from '#lib/api/doubt.ts';
import type { WithdrawRequestInput } from '#lib/api/schemas/withdraw.ts';
import { formatMicros } from '#lib/money.ts';
import { rememberDestination } from '#lib/withdraw/destinations.ts';
import type { WithdrawAsset } from '#lib/withdraw/withdrawState.ts';

export type Withdrawal = { asset: WithdrawAsset; amountMicros: bigint; destination: string };

/** Sends a withdrawal once; an attempt whose fate is unknown is repeated word for word. */
export function useWithdraw() {
  const { api, site } = useApp();
  const router = useRouter();
  const attempt = useRef<{ key: string; request: WithdrawRequestInput }>(undefined);
  return useMutation({
    mutationFn: async ({ asset, amountMicros, destination }: Withdrawal) => {
      const key = `${asset.kind} ${amountMicros} ${destination}`;
      if (attempt.current?.key !== key) {
        attempt.current = {
          key,
          request: {
            intentType: 'Withdraw',
            destinationAddress: destination,
            amount: formatMicros(amountMicros),
            clientId: crypto.randomUUID(),
            ...(asset.kind === 'usdc'
              ? { tokenType: 'erc20', tokenAddress: site.contracts.usdc }
              : {
                  tokenType: 'erc1155',
                  tokenAddress: site.contracts.outcomeToken,
                  tokenId: asset.tokenId,
                }),
          },
        };
      }
      try {
        const { intent } = await api.withdraw(attempt.current.request);
        attempt.current = undefined;
        rememberDestination(destination);
        router.push(`/orders/${intent.id}`);
      } catch (problem) {
        if (!isInDoubt(problem)) attempt.current = undefined;
        throw toldOfDoubt(problem, 'your withdrawal');
      }
    },
  });
}
