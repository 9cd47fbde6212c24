'use client';

import { PnL } from '#components/portfolio/PnL.tsx';
import { PositionAction } from '#components/portfolio/PositionAction.tsx';
import { usePositions } from '#components/portfolio/usePositions.ts';
import { centsRounded, contracts, dollars } from '#lib/format/money.ts';
import type { MarketView } from '#lib/market/marketView.ts';

/** What the visitor holds of this market; nothing when they hold nothing. */
export function MyPosition({ market }: { market: MarketView }) {
  const { positions = [] } = usePositions();
  const held = positions.filter((position) => position.marketId === market.ticker);
  if (held.length === 0) return null;
  return (
    <section aria-label="My position" className="sheet divide-y">
      {held.map((position) => (
        <div
          key={position.side}
          className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3 text-[14px]"
        >
          <p className="nums font-medium">
            You hold {contracts(position.contractMicros)}{' '}
            <span className={position.side === 'yes' ? 'text-yes' : 'text-no'}>
              {position.side === 'yes' ? 'Yes' : 'No'}
            </span>
          </p>
          {position.averageCostMicros !== null && (
            <p className="nums text-ink-2">bought at {centsRounded(position.averageCostMicros)}</p>
          )}
          <p className="nums text-ink-2">worth {dollars(position.valueMicros)}</p>
          <PnL {...position} />
          <span className="ml-auto">
            <PositionAction position={position} />
          </span>
        </div>
      ))}
    </section>
  );
}
