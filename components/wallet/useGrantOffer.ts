'use client';

import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { grantQueryOf } from '#lib/account/grantLimits.ts';
import { accountKeys } from '#lib/api/queries/account.ts';
import { useWallet } from '#lib/wallet/wallet.ts';
import { limitsBefore } from './limitsBefore.ts';
import { useVisitor } from './useSetup.ts';

/** Fetches the permission to sign, so that its limits can be read before the wallet opens. */
export function useGrantOffer(enabled: boolean) {
  const { api } = useApp();
  const { address } = useWallet();
  const limits = limitsBefore(useVisitor().account);
  return useQuery({
    queryKey: [...accountKeys.detail(address ?? ''), 'grant', limits],
    queryFn: ({ signal }) =>
      api.getGrant({ address: address ?? '', ...(limits && grantQueryOf(limits)) }, { signal }),
    enabled: enabled && address !== undefined,
    staleTime: 60_000,
  });
}
