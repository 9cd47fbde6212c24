import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { portfolioQuery } from '#lib/browser/queries/account.ts';
import { positionView } from '#lib/portfolio/positionView.ts';

/**
 * The visitor's current positions; `undefined` until they are known.
 * @param refetchInterval how often to poll beyond the stream's events, in milliseconds
 */
export function usePositions(refetchInterval = 10_000) {
  const { api } = useApp();
  const { account } = useVisitor();
  const portfolio = useQuery({
    ...portfolioQuery(api, account?.smartAccountAddress ?? ''),
    enabled: account !== undefined,
    refetchInterval,
  });
  return portfolio.data?.map(positionView).filter((position) => position.contractMicros > 0n);
}
