'use client';

import dynamic from 'next/dynamic';
import { usePositions } from '#components/portfolio/usePositions.ts';
import { renderNothing } from '#components/ui/renderNothing.ts';
import type { MarketView } from '#lib/market/marketView.ts';

// Few visitors hold something of the market they look at.
const HeldPosition = dynamic(
  () => import('./HeldPosition.tsx').then((m) => m.HeldPosition, renderNothing),
  { loading: () => <div className="skeleton m-2 h-10" /> },
);

/** What the visitor holds of this market; nothing when they hold nothing. */
export function MyPosition({ market }: { market: MarketView }) {
  const { positions = [] } = usePositions();
  const held = positions
    .filter((position) => position.marketId === market.ticker)
    // The market is heard of first: nothing is offered for sale that has ended.
    .map((position) =>
      market.status === 'closed' ? { ...position, status: market.status } : position,
    );
  if (held.length === 0) return null;
  return (
    <section aria-label="My position" className="sheet grid min-h-[58px] divide-y">
      {held.map((position) => (
        <HeldPosition key={position.side} position={position} />
      ))}
    </section>
  );
}
