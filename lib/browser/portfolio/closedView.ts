import type { ClosedPosition } from '#lib/api/schemas/portfolio.ts';
import { parseMicros } from '#lib/money.ts';
import { groupOf, type PositionView, signedMicros } from '#lib/portfolio/positionView.ts';

/** A closed position, in exact units. */
export type ClosedView = {
  id: string;
  marketId: string;
  side: 'yes' | 'no';
  name: string;
  subtitle: string;
  contractMicros: bigint;
  /** Null when the contracts were not bought here. */
  costMicros: bigint | null;
  proceedsMicros: bigint;
  profitMicros: bigint | null;
  closedAt: string | null;
};

export function closedView(closed: ClosedPosition): ClosedView {
  return {
    id: closed.id,
    marketId: closed.marketId,
    side: closed.side,
    name: closed.name,
    subtitle: closed.subtitle,
    contractMicros: parseMicros(closed.contracts),
    costMicros: parseMicros(closed.cost),
    proceedsMicros: parseMicros(closed.proceeds),
    profitMicros: signedMicros(closed.realizedPnL),
    closedAt: closed.closedAt,
  };
}

/**
 * Separates positions that can still pay from lost ones. A lost position stays at its address as
 * worthless tokens; for its owner it closed with its market.
 */
export function withoutLost(positions: readonly PositionView[]): {
  held: PositionView[];
  lost: PositionView[];
} {
  const isLost = (position: PositionView) => groupOf(position) === 'lost';
  return {
    held: positions.filter((position) => !isLost(position)),
    lost: positions.filter(isLost),
  };
}

/** Sold, redeemed and lost positions, newest first; the newest have no time yet. */
export function allClosed(
  closed: readonly ClosedView[],
  lost: readonly PositionView[],
): ClosedView[] {
  const time = ({ closedAt }: ClosedView) =>
    closedAt === null ? Number.POSITIVE_INFINITY : Date.parse(closedAt);
  return [...closed, ...lost.map(lostView)].sort((a, b) => (time(a) < time(b) ? 1 : -1));
}

function lostView(position: PositionView): ClosedView {
  const { tokenId, marketId, side, name, subtitle, contractMicros } = position;
  const { costMicros, profitMicros, settledAt } = position;
  return {
    id: tokenId,
    marketId,
    side,
    name,
    subtitle,
    contractMicros,
    costMicros,
    proceedsMicros: 0n,
    profitMicros,
    closedAt: settledAt,
  };
}
