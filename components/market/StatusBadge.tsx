import clsx from 'clsx';
import type { MarketStatus } from '#lib/api/schemas/market.ts';

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
