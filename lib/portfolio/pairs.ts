import { minMicros } from '#lib/money.ts';
import type { PositionView } from './positionView.ts';

type Held = Pick<PositionView, 'marketId' | 'side' | 'status' | 'contractMicros'>;

/** How many contracts of both sides of a market are held, until it settles: each pair is a dollar. */
export function pairsOf(positions: readonly Held[], marketId: string): bigint {
  const held = (side: Held['side']) =>
    positions.find(
      (one) => one.marketId === marketId && one.side === side && one.status !== 'settled',
    )?.contractMicros ?? 0n;
  return minMicros(held('yes'), held('no'));
}
