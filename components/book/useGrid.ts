import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { marketTermsQuery } from '#lib/browser/queries/markets.ts';
import { gridOf } from '#lib/market/orderTerms.ts';
import type { PriceRange } from '#lib/market/ticks.ts';

const UNKNOWN: PriceRange[] = [];

/** The prices of Yes that orders may have; empty until they are known. */
export function useGrid(ticker: string): PriceRange[] {
  const { api } = useApp();
  const { data } = useQuery({ ...marketTermsQuery(api, ticker), select: gridOf });
  return data ?? UNKNOWN;
}
