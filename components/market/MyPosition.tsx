import { MergePairs } from '#components/portfolio/MergePairs.tsx';
import { usePositions } from '#components/portfolio/usePositions.ts';
import type { MarketView } from '#lib/market/marketView.ts';
import { HeldPosition } from './HeldPosition.tsx';

/** What the visitor holds of a market. Few do: it is loaded after the page. */
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
