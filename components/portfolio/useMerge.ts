import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import { accountKeys } from '#lib/browser/queries/account.ts';
import type { DescribedCall } from '#lib/browser/trade/describeCalls.ts';
import type { WalletCall } from '#lib/browser/wallet/sendCalls.ts';
import { formatMicros } from '#lib/money.ts';

/** A merge that the service has prepared, decoded: the user reads it before signing. */
export type PreparedMerge = { contractMicros: bigint; calls: WalletCall[]; words: DescribedCall[] };

/** Prepares a merge of one market, and has the owner's wallet send it. */
export function useMerge(account: Account | undefined, marketId: string) {
  const { api, site } = useApp();
  const queryClient = useQueryClient();
  const prepare = useMutation({
    mutationFn: async (contractMicros: bigint): Promise<PreparedMerge> => {
      if (!account) throw new Error('Connect your wallet first.');
      const [{ describeCalls }, { walletCallsOf }, { transactions }] = await Promise.all([
        import('#lib/browser/trade/describeCalls.ts'),
        import('#lib/browser/wallet/walletCalls.ts'),
        api.createMergeCalldata({
          userAddress: account.owner,
          chainId: site.chainId,
          merges: [{ marketId, quantity: formatMicros(contractMicros) }],
        }),
      ]);
      const calls = walletCallsOf(transactions);
      const own = account.smartAccountAddress as `0x${string}`;
      return { contractMicros, calls, words: describeCalls({ site, account: own }, calls) };
    },
  });
  const send = useMutation({
    mutationFn: async ({ calls, contractMicros }: PreparedMerge) => {
      if (!account) throw new Error('Connect your wallet first.');
      const { sendFromOwner } = await import('#components/account/sendFromOwner.ts');
      await sendFromOwner(site, account, calls);
      return contractMicros;
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountKeys.all }),
  });
  return { prepare, send };
}
