'use client';

import { dollarsSigned, percentSigned } from '#lib/format/money.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';
import { Amount } from './Amount.tsx';

/** Profit or loss at the current bid; the sign is written, colour only repeats it. */
export function PnL({ position }: { position: PositionView }) {
  const { profitMicros, costMicros } = position;
  if (profitMicros === null || costMicros === null) return <span className="text-ink-3">–</span>;
  const tone = profitMicros > 0n ? 'text-yes' : profitMicros < 0n ? 'text-no' : 'text-ink-2';
  return (
    <span className={`nums ${tone}`}>
      <Amount>{dollarsSigned(profitMicros)}</Amount>{' '}
      <span className="text-[13px]">{percentSigned(profitMicros, costMicros)}</span>
    </span>
  );
}
