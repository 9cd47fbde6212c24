'use client';

import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { closedPositionsQuery, portfolioQuery } from '#lib/api/queries/account.ts';
import { type ClosedView, closedView } from '#lib/portfolio/closedView.ts';
import { type PositionView, positionView } from '#lib/portfolio/positionView.ts';

/** What the visitor holds and what they held; `undefined` until it is known. */
export function usePortfolio(): {
  positions: PositionView[] | undefined;
  closed: ClosedView[] | undefined;
  hasFailed: boolean;
  retry: () => void;
} {
  const { api } = useApp();
  const { account, accountFailed } = useVisitor();
  const address = account?.smartAccountAddress ?? '';
  const enabled = account !== undefined;
  const held = useQuery({ ...portfolioQuery(api, address), enabled });
  const over = useQuery({ ...closedPositionsQuery(api, address), enabled });
  return {
    positions: held.data?.map(positionView).filter((position) => position.contractMicros > 0n),
    closed: over.data?.positions.map(closedView),
    hasFailed: accountFailed || (held.isError && !held.data),
    retry: () => {
      void held.refetch();
      void over.refetch();
    },
  };
}
