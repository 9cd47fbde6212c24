'use client';

import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { rememberedAccount } from '#lib/browser/account/rememberedAccount.ts';
import { type ClosedView, closedView } from '#lib/browser/portfolio/closedView.ts';
import {
  closedPositionsQuery,
  portfolioHistoryQuery,
  portfolioQuery,
} from '#lib/browser/queries/account.ts';
import { type PositionView, positionView } from '#lib/portfolio/positionView.ts';
import { FIRST_VALUE_RANGE } from './valueRanges.ts';

/** The visitor's current and closed positions; `undefined` until they are known. */
export function usePortfolio(): {
  positions: PositionView[] | undefined;
  closed: ClosedView[] | undefined;
  hasFailed: boolean;
  retry: () => void;
} {
  const { api } = useApp();
  const { wallet, account, accountFailed } = useVisitor();
  const known = account?.smartAccountAddress ?? rememberedAccount(wallet.address);
  const address = known ?? '';
  const enabled = known !== undefined;
  const held = useQuery({ ...portfolioQuery(api, address), enabled });
  const over = useQuery({ ...closedPositionsQuery(api, address), enabled });
  // Prefetches the chart's code, which renders after the rest.
  useQuery({
    ...portfolioHistoryQuery(api, address, FIRST_VALUE_RANGE),
    enabled,
    notifyOnChangeProps: [],
  });
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
