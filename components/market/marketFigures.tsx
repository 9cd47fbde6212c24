import clsx from 'clsx';
import type { MarketStatus } from '#lib/api/schemas/market.ts';
import { impliedChance, type MarketPrices } from '#lib/market/marketView.ts';
import { MICROS } from '#lib/money.ts';

/** The position of a price on a scale from 0 to 100. For drawing only. */
function percent(micros: bigint): number {
  return Number((micros * 10_000n) / MICROS) / 100;
}

type ChanceBarProps = { market: MarketPrices & { payoutYesMicros?: bigint | null } };

/** The bar spans the gap between best bid and best offer: its width shows the uncertainty. */
export function ChanceBar({ market }: ChanceBarProps) {
  const chance = impliedChance(market);
  const bid = market.yesBidMicros;
  const ask = market.yesAskMicros;
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      className="block h-2.5 w-full overflow-visible"
    >
      <line x1="0" x2="100" y1="5" y2="5" className="rule-line" />
      {[0, 25, 50, 75, 100].map((x) => (
        <line key={x} x1={x} x2={x} y1="3" y2="7" className="rule-line" />
      ))}
      {chance !== null && (
        <line x1="0" x2={percent(chance)} y1="5" y2="5" className="rule-filled" />
      )}
      {bid !== null && ask !== null && (
        <line x1={percent(bid)} x2={percent(ask)} y1="5" y2="5" className="rule-spread" />
      )}
      {chance !== null && (
        <line x1={percent(chance)} x2={percent(chance)} y1="0" y2="10" className="rule-mark" />
      )}
    </svg>
  );
}

/** The change of a day in points of chance; arrow and text repeat the colour's meaning. */
export function PriceChange({ points, className }: { points: number | null; className?: string }) {
  if (points === null) return null;
  if (points === 0) {
    return (
      <span className={clsx('nums text-ink-3', className)}>
        <span aria-hidden>0</span>
        <span className="sr-only">no change in 24 hours</span>
      </span>
    );
  }
  const up = points > 0;
  const size = Math.abs(points);
  return (
    <span className={clsx('nums whitespace-nowrap', up ? 'text-yes' : 'text-no', className)}>
      <span aria-hidden>
        {up ? '▴' : '▾'}
        {size}
      </span>
      <span className="sr-only">
        {up ? 'up' : 'down'} {size} {size === 1 ? 'point' : 'points'} in 24 hours
      </span>
    </span>
  );
}

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

export const STATUS_WORDS: Record<MarketStatus, string> = {
  unopened: 'Upcoming',
  open: 'Open',
  paused: 'Paused',
  closed: 'Closed, awaiting result',
  settled: 'Resolved',
};

export function StatusBadge({ status }: { status: MarketStatus }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-13 text-ink-2">
      <span
        aria-hidden
        className={clsx(
          'size-2 rounded-full',
          status === 'open'
            ? 'bg-yes-solid'
            : status === 'paused'
              ? 'bg-caution'
              : 'bg-line-strong',
        )}
      />
      {STATUS_WORDS[status]}
    </span>
  );
}
