'use client';

import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { PageLink } from '#components/ui/PageLink.tsx';
import { marketTitleQuery } from '#lib/browser/queries/markets.ts';

/** The market of an order, by its title once known. */
export function OrderMarket({ ticker }: { ticker: string }) {
  const { api } = useApp();
  const { data } = useQuery(marketTitleQuery(api, ticker));
  return (
    <PageLink
      href={`/markets/${ticker}`}
      className="underline decoration-line-strong underline-offset-4"
    >
      {data ?? ticker}
    </PageLink>
  );
}
