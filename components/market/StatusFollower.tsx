import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useLiveMarkets } from '#components/app/useLive.ts';
import { marketListQuery } from '#lib/browser/queries/markets.ts';
import type { MarketView } from '#lib/market/marketView.ts';

type StatusFollowerProps = { markets: readonly Pick<MarketView, 'ticker' | 'status'>[] };

/**
 * Refreshes what the server rendered of a market (timeline, details, other outcomes) when its
 * status or that of another outcome changes. It renders nothing, so it loads after the page.
 */
export function StatusFollower({ markets }: StatusFollowerProps) {
  const { api } = useApp();
  const router = useRouter();
  const tickers = markets.map(({ ticker }) => ticker);
  useLiveMarkets(tickers);
  const { data } = useQuery(
    marketListQuery(api, { tickers, status: 'all', limit: tickers.length }),
  );
  const statusOf = new Map(data?.markets.map(({ ticker, status }) => [ticker, status]));
  const changed = markets
    .map(({ ticker, status }) => [ticker, statusOf.get(ticker) ?? status, status])
    .filter(([, now, rendered]) => now !== rendered)
    .join(' ');
  useEffect(() => {
    if (changed !== '') router.refresh();
  }, [changed, router]);
  return null;
}
