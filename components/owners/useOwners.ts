import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Hex } from 'viem';
import { useApp } from '#components/app/useApp.ts';
import type { WalletOwners } from '#lib/api/schemas/passkey.ts';
import { accountKeys, ownersQuery } from '#lib/browser/queries/account.ts';
import type { WalletCall } from '#lib/passkey/walletCalls.ts';

/** The owners of a passkey's wallet; until it is deployed, this browser's passkey alone. */
export function useOwners(wallet: string | undefined) {
  const { api } = useApp();
  return useQuery({ ...ownersQuery(api, wallet ?? ''), enabled: wallet !== undefined });
}

/**
 * Has an owner sign calls of the passkey's wallet, which Crossbook sends.
 * @param owner the connected address
 */
export function useWalletCalls(owner: string, { wallet }: Pick<WalletOwners, 'wallet'>) {
  const { api, site } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (build: () => Promise<WalletCall[]>) => {
      const { sendWalletCalls } = await import('#lib/browser/owners/sendWalletCalls.ts');
      // The nonce of a list that another device has changed since would be refused.
      const owners = await api.getWalletOwners(wallet);
      await sendWalletCalls({ api, site }, owner as Hex, owners, await build());
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: accountKeys.all }),
  });
}
