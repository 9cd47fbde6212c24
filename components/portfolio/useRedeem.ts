'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useRef } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useSignIn, useVisitor } from '#components/wallet/useSetup.ts';
import { toldOfDoubt } from '#lib/api/doubt.ts';
import { orderKeys } from '#lib/api/queries/orders.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';
import { orderRequest } from '#lib/trade/orderRequest.ts';

type Redeemable = Pick<PositionView, 'marketId' | 'side' | 'contractMicros' | 'redeemableMicros'>;

/**
 * Turns tokens of settled markets into what they pay: one position, or all of them when none is
 * named. Somebody who is not signed in is asked for that first. Repeated after an answer that got
 * lost, it stays the same order.
 */
export function useRedeem() {
  const { api, site } = useApp();
  const { session, wallet } = useVisitor();
  const signIn = useSignIn();
  const router = useRouter();
  const queryClient = useQueryClient();
  const clientIds = useRef(new Map<string, string>());

  const clientIdOf = (key: string) => {
    const known = clientIds.current.get(key) ?? crypto.randomUUID();
    clientIds.current.set(key, known);
    return known;
  };

  const request = async (position: Redeemable | undefined) => {
    const owner = wallet.address ?? '';
    if (!position) {
      const { intents } = await api.redeemPositions({ userAddress: owner, chainId: site.chainId });
      return intents;
    }
    const key = `${position.marketId} ${position.side} ${position.contractMicros}`;
    const draft = {
      ticker: position.marketId,
      side: position.side,
      action: 'sell' as const,
      contractMicros: position.contractMicros,
      boundUsdcMicros: position.redeemableMicros ?? 0n,
    };
    const { intent } = await api.createOrder(orderRequest(site, draft, owner, clientIdOf(key)));
    return [intent];
  };

  return useMutation({
    mutationFn: async (position: Redeemable | undefined) => {
      if (!session) await signIn.mutateAsync();
      return request(position).catch((problem: unknown) => {
        throw toldOfDoubt(problem, 'your redemption');
      });
    },
    onSuccess: async (intents) => {
      await queryClient.invalidateQueries({ queryKey: orderKeys.all });
      const [only] = intents;
      router.push(only && intents.length === 1 ? `/orders/${only.id}` : '/orders');
    },
  });
}
