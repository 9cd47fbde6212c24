import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import { accountKeys } from '#lib/browser/queries/account.ts';
import type { RelayDraft } from '#lib/browser/relay/relayDraft.ts';
import type { DescribedCall } from '#lib/browser/trade/describeCalls.ts';
import type { WalletCall } from '#lib/browser/wallet/sendCalls.ts';
import { formatMicros } from '#lib/money.ts';

/** A merge that the service has prepared, decoded: the user reads it before signing. */
export type PreparedMerge = {
  contractMicros: bigint;
  calls: WalletCall[];
  words: DescribedCall[];
  draft: RelayDraft | undefined;
  /** Whether Crossbook sends it, at its own cost, once the owner has signed. */
  isRelayed: boolean;
};

/** Prepares a merge of one market; its owner signs it, or has the wallet send it. */
export function useMerge(account: Account | undefined, marketId: string) {
  const { api, site } = useApp();
  const queryClient = useQueryClient();
  const prepare = useMutation({
    mutationFn: async (contractMicros: bigint): Promise<PreparedMerge> => {
      if (!account) throw new Error('Sign in first.');
      const [
        { describeCalls },
        { walletCallsOf },
        { accountCallsIn },
        { findRelayTerms },
        { transactions },
      ] = await Promise.all([
        import('#lib/browser/trade/describeCalls.ts'),
        import('#lib/browser/wallet/walletCalls.ts'),
        import('#lib/browser/relay/relayDraft.ts'),
        import('#lib/browser/relay/relayMessage.ts'),
        api.createMergeCalldata({
          userAddress: account.owner,
          chainId: site.chainId,
          merges: [{ marketId, quantity: formatMicros(contractMicros) }],
        }),
      ]);
      const own = account.smartAccountAddress as `0x${string}`;
      const calls = walletCallsOf(transactions);
      const inner = accountCallsIn(site, own, calls);
      const draft = inner && { type: 'batch' as const, calls: inner };
      const terms = draft && (await findRelayTerms({ api, site }, account, draft));
      const words = describeCalls({ site, account: own }, calls);
      return { contractMicros, calls, words, draft, isRelayed: terms !== undefined };
    },
  });
  const send = useMutation({
    mutationFn: async ({ calls, draft, contractMicros }: PreparedMerge) => {
      if (!account) throw new Error('Sign in first.');
      const { sendFromOwner } = await import('#lib/browser/relay/sendFromOwner.ts');
      await sendFromOwner({ api, site }, account, { calls, draft });
      return contractMicros;
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountKeys.all }),
  });
  return { prepare, send };
}
