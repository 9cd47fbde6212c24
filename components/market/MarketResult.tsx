import clsx from 'clsx';
import { MICROS } from '#lib/money.ts';

export function MarketResult({ payoutYesMicros }: { payoutYesMicros: bigint | null }) {
  const outcome = outcomeWord(payoutYesMicros);
  return (
    <span className="font-medium">
      Resolved:{' '}
      <span className={clsx(outcome === 'Yes' && 'text-yes', outcome === 'No' && 'text-no')}>
        {outcome}
      </span>
    </span>
  );
}

export function outcomeWord(payoutYesMicros: bigint | null): 'Yes' | 'No' | 'Split' {
  if (payoutYesMicros === MICROS) return 'Yes';
  return payoutYesMicros === 0n ? 'No' : 'Split';
}
