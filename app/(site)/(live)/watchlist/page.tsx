import type { Metadata } from 'next';
import { WatchlistView } from '#components/market/WatchlistView.tsx';

export const metadata: Metadata = { title: 'Watchlist' };

export default function WatchlistPage() {
  return (
    <>
      <h1 className="mb-5 font-semibold text-[26px] tracking-[-0.015em]">Watchlist</h1>
      <WatchlistView />
    </>
  );
}
