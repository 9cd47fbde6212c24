import { CENT_MICROS } from '#lib/money.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';

/**
 * The positions that are worth a cent or more, and how many are not: dust, what lost, and what
 * nobody bids for. They are judged by what is held in total, not by a contract. What awaits its
 * result may be worth all it can pay, and stays.
 */
export function withoutSmall<T extends Pick<PositionView, 'valueMicros' | 'isUnpriced'>>(
  positions: readonly T[],
): { positions: T[]; smallCount: number } {
  const worthwhile = positions.filter(
    ({ valueMicros, isUnpriced }) => isUnpriced || valueMicros >= CENT_MICROS,
  );
  return { positions: worthwhile, smallCount: positions.length - worthwhile.length };
}
