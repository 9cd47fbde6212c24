import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useRef } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useSignIn, useVisitor } from '#components/wallet/useSetup.ts';
import { orderKeys } from '#lib/browser/queries/orders.ts';
import { walletStore } from '#lib/browser/wallet/walletStore.ts';
import type { Redeemable } from './requestRedemption.ts';

/**
 * Redeems tokens of settled markets: one position, or all of them when none is named. A visitor
 * without a session signs in first. A retry after a lost response stays the same order. Only one
 * redemption runs at a time across the page: two would redeem the same tokens.
 */
export function useRedeem() {
  const { api, site } = useApp();
  const { session, wallet } = useVisitor();
  const signIn = useSignIn();
  const router = useRouter();
  const queryClient = useQueryClient();
  const owner = wallet.address ?? '';
  const mutationKey = ['redeem', owner];
  const clientIds = useRef(new Map<string, string>());
  const clientIdOf = (key: string) => {
    const known = clientIds.current.get(key) ?? crypto.randomUUID();
    clientIds.current.set(key, known);
    return known;
  };
  const isStillHere = () => walletStore.get().address === wallet.address;

  const redemption = useMutation({
    mutationKey,
    mutationFn: async (position: Redeemable | undefined) => {
      const { requestRedemption } = await import('./requestRedemption.ts');
      if (!session) await signIn.mutateAsync();
      if (!isStillHere()) throw new Error('The account has changed. Nothing was redeemed.');
      const ids = await requestRedemption({ api, site, owner, clientIdOf }, position);
      return { ids, isStillHere };
    },
    onSuccess: async ({ ids, isStillHere: isOwnerHere }) => {
      await queryClient.invalidateQueries({ queryKey: orderKeys.all });
      // After a switch of accounts, the page must not open the previous account's order.
      if (!isOwnerHere()) return;
      const [only] = ids;
      router.push(only && ids.length === 1 ? `/orders/${only}` : '/orders');
    },
  });
  return {
    redeem: (position?: Redeemable) => {
      if (queryClient.isMutating({ mutationKey }) === 0) redemption.mutate(position);
    },
    /** This redemption, or another one on the page. */
    isResting: useIsMutating({ mutationKey }) > 0,
    isPending: redemption.isPending,
    asksWallet: redemption.isPending && signIn.isPending,
    error: redemption.error,
  };
}
