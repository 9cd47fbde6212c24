import dynamic from 'next/dynamic';
import { usePositions } from '#components/portfolio/usePositions.ts';
import { renderNothing } from '#components/ui/renderNothing.ts';
import type { MarketView } from '#lib/market/marketView.ts';

// Loaded separately: few visitors hold a position in the market they view.
const HeldPosition = dynamic(
  () => import('./HeldPosition.tsx').then((m) => m.HeldPosition, renderNothing),
  { loading: () => <div className="skeleton m-2 h-10" /> },
);

const MergePairs = dynamic(() =>
  import('#components/portfolio/MergePairs.tsx').then((m) => m.MergePairs, renderNothing),
);

export function MyPosition({ market }: { market: MarketView }) {
  const positions = usePositions() ?? [];
  const held = positions.filter((position) => position.marketId === market.ticker);
  if (held.length === 0) return null;
  return (
    <section aria-label="My position" className="sheet grid min-h-[58px] divide-y">
      {held.map((position) => (
        <HeldPosition key={position.side} position={position} market={market} />
      ))}
      <MergePairs marketId={market.ticker} className="px-4 py-3" />
    </section>
  );
}
