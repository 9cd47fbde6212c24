import type { TradeSide } from './quote.ts';

/** The initial side of a sale: the one in view, unless only the other one is held. */
export function sideToSell(
  positions: readonly { side: TradeSide }[],
  inView: TradeSide,
): TradeSide {
  const [only] = positions;
  return positions.length === 1 && only ? only.side : inView;
}
