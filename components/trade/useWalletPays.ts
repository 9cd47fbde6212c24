import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import { lacksEther } from '#lib/browser/relay/lacksEther.ts';
import { parseMicros } from '#lib/money.ts';

/**
 * Whether the wallet pays the first order, in one transaction that also creates the account: it has
 * USDC, but no ether to deposit it with. Smart wallets have their own ways to pay.
 */
export function useWalletPays(account: Account | undefined): { is: boolean; isLoading: boolean } {
  const service = useApp();
  const isCandidate =
    service.site.relays &&
    account !== undefined &&
    !account.deployed &&
    !account.grant &&
    lacksEther(account) &&
    parseMicros(account.balances.ownerUsdc) > parseMicros(account.balances.usdc);
  const { data, isLoading } = useQuery({
    queryKey: ['wallet-pays', account?.owner],
    queryFn: () =>
      import('#lib/browser/relay/relayMessage.ts').then(
        async ({ findBatchTerms }) =>
          account !== undefined && (await findBatchTerms(service, account)) !== undefined,
      ),
    enabled: isCandidate,
  });
  return { is: isCandidate && data === true, isLoading };
}
