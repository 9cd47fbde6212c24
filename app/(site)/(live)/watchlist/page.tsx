import type { Metadata } from 'next';
import { WatchlistView } from '#components/market/WatchlistView.tsx';
import { PageHead } from '#components/ui/PageHead.tsx';

export const metadata: Metadata = { title: 'Watchlist' };

export default function WatchlistPage() {
  return (
    <>
      <PageHead title="Watchlist" />
      <WatchlistView />
    </>
  );
}
