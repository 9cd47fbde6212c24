'use client';

import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { portfolioQuery } from '#lib/browser/queries/account.ts';
import { type PositionView, positionView } from '#lib/portfolio/positionView.ts';

/**
 * What the visitor holds now; `undefined` until it is known.
 * @param refetchInterval how often it is asked for beyond what the stream tells, in milliseconds
 */
export function usePositions(refetchInterval = 10_000): {
  positions: PositionView[] | undefined;
  isError: boolean;
} {
  const { api } = useApp();
  const { account } = useVisitor();
  const portfolio = useQuery({
    ...portfolioQuery(api, account?.smartAccountAddress ?? ''),
    enabled: account !== undefined,
    refetchInterval,
  });
  return {
    positions: portfolio.data?.map(positionView).filter((position) => position.contractMicros > 0n),
    isError: portfolio.isError && !portfolio.data,
  };
}
