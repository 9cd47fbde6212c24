import type { ClosedPosition } from '#lib/api/schemas/portfolio.ts';
import { parseMicros } from '#lib/money.ts';
import { signedMicros } from '#lib/portfolio/positionView.ts';

/** A closed position, in exact units. */
export type ClosedView = {
  id: string;
  marketId: string;
  side: 'yes' | 'no';
  name: string;
  subtitle: string;
  contractMicros: bigint;
  costMicros: bigint;
  proceedsMicros: bigint;
  profitMicros: bigint;
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
