import { CENT_MICROS } from '#lib/money.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';

/**
 * Separates positions worth a cent or more from dust, lost positions and those without bids, which
 * it counts. The total value decides, not the value per contract. Positions that await their result
 * may still pay in full, and stay.
 */
export function withoutSmall<T extends Pick<PositionView, 'valueMicros' | 'isUnpriced'>>(
  positions: readonly T[],
): { positions: T[]; smallCount: number } {
  const worthwhile = positions.filter(
    ({ valueMicros, isUnpriced }) => isUnpriced || valueMicros >= CENT_MICROS,
  );
  return { positions: worthwhile, smallCount: positions.length - worthwhile.length };
}
