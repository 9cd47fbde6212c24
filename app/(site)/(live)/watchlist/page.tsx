import type { Metadata } from 'next';
import { PageHead } from '#components/ui/PageHead.tsx';
import { WatchlistView } from '#components/market/WatchlistView.tsx';

export const metadata: Metadata = { title: 'Watchlist' };

export default function WatchlistPage() {
  return (
    <>
      <PageHead title="Watchlist" />
      <WatchlistView />
    </>
  );
}
