import clsx from 'clsx';
import { cents } from '#lib/format/money.ts';
import type { MarketView } from '#lib/market/marketView.ts';
import { MICROS } from '#lib/money.ts';

type Settled = Pick<MarketView, 'isScalar' | 'payoutYesMicros'>;

export function MarketResult({ market }: { market: Settled }) {
  const outcome = outcomeWord(market);
  return (
    <span className="font-medium">
      Resolved:{' '}
      <span className={clsx(outcome === 'Yes' && 'text-yes', outcome === 'No' && 'text-no')}>
        {outcome}
      </span>
    </span>
  );
}

/** "Yes" or "No", or what Yes pays where both sides share the dollar. */
export function outcomeWord({ isScalar, payoutYesMicros }: Settled): string {
  if (!isScalar && payoutYesMicros === MICROS) return 'Yes';
  if (!isScalar && payoutYesMicros === 0n) return 'No';
  return payoutYesMicros === null ? 'Split' : `Yes pays ${cents(payoutYesMicros)}`;
}
