'use client';

import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { marketTitleQuery } from '#lib/api/queries/markets.ts';

/** What a market asks, in small print under an entry of a list; its ticker until that is known. */
export function MarketName({ ticker }: { ticker: string }) {
  const { api } = useApp();
  const { data } = useQuery(marketTitleQuery(api, ticker));
  return <span className="line-clamp-2 text-13 text-ink-3">{data ?? ticker}</span>;
}
