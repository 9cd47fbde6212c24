'use client';

import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { portfolioQuery } from '#lib/api/queries/account.ts';
import { type PositionView, positionView } from '#lib/portfolio/positionView.ts';

/** What the visitor holds now; `undefined` until it is known. */
export function usePositions(): { positions: PositionView[] | undefined; isError: boolean } {
  const { api } = useApp();
  const { account } = useVisitor();
  const portfolio = useQuery({
    ...portfolioQuery(api, account?.smartAccountAddress ?? ''),
    enabled: account !== undefined,
  });
  return {
    positions: portfolio.data?.map(positionView).filter((position) => position.contractMicros > 0n),
    isError: portfolio.isError && !portfolio.data,
  };
}
