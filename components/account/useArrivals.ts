'use client';

import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { accountQuery } from '#lib/browser/queries/account.ts';
import { parseMicros } from '#lib/money.ts';

/** While a visitor waits for a deposit, the chain is polled often. */
const WAITING_POLL_MS = 2_000;

/** What has arrived in the account since this page opened, in USDC micros. */
export function useArrivals(owner: string, sinceUsdcMicros: bigint): bigint {
  const { api } = useApp();
  const { data } = useQuery({
    ...accountQuery(api, owner),
    refetchInterval: WAITING_POLL_MS,
  });
  if (!data) return 0n;
  const arrived = parseMicros(data.balances.usdc) - sinceUsdcMicros;
  return arrived > 0n ? arrived : 0n;
}
