import { useAmountsHidden } from '#lib/browser/portfolio/hiddenAmounts.ts';
import { dollarsSigned, percentSigned } from '#lib/format/money.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';

export function Amount({ children }: { children: string }) {
  if (!useAmountsHidden()) return children;
  return (
    <>
      <span aria-hidden>••••</span>
      <span className="sr-only">hidden</span>
    </>
  );
}

type PnLProps = Pick<PositionView, 'profitMicros' | 'costMicros'>;

/** Profit or loss, in dollars and percent of cost; the sign is written, colour only repeats it. */
export function PnL({ profitMicros, costMicros }: PnLProps) {
  if (profitMicros === null || costMicros === null) return <span className="text-ink-3">–</span>;
  const tone = profitMicros > 0n ? 'text-yes' : profitMicros < 0n ? 'text-no' : 'text-ink-2';
  return (
    <span className={`nums ${tone}`}>
      <Amount>{dollarsSigned(profitMicros)}</Amount>{' '}
      <span className="whitespace-nowrap text-13">{percentSigned(profitMicros, costMicros)}</span>
    </span>
  );
}
