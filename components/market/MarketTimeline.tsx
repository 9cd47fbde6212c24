import clsx from 'clsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import type { MarketStatus } from '#lib/api/schemas/market.ts';
import type { MarketPageView } from '#lib/market/marketView.ts';

const STAGE: Record<MarketStatus, number> = {
  unopened: 0,
  open: 1,
  paused: 1,
  closed: 2,
  settled: 3,
};

/** The stages of a market from its opening to its payout. */
export function MarketTimeline({ page }: { page: MarketPageView }) {
  const { status, openTime, closeTime, expectedEndTime, proposedResult } = page.market;
  const reached = STAGE[status];
  const steps: { name: string; at: string | null; latest?: string }[] = [
    { name: reached === 0 ? 'Opens' : 'Opened', at: openTime },
    reached < 2 && expectedEndTime !== closeTime
      ? { name: 'Trading ends, expected', at: expectedEndTime, latest: closeTime }
      : { name: reached < 2 ? 'Trading ends' : 'Trading ended', at: closeTime },
    proposedResult
      ? { name: `Result: ${proposedResult}, can be disputed`, at: page.expirationTime }
      : { name: 'Expected resolution', at: page.expirationTime },
    { name: reached < 3 ? 'Pays out' : 'Paid out', at: page.settledTime },
  ];
  return (
    <ol className="grid gap-x-2 gap-y-4 sm:grid-cols-4" aria-label="Market timeline">
      {steps.map((step, index) => (
        <li
          key={step.name}
          className={clsx(
            'border-t-2 pt-2 text-14',
            index < reached || (index === 3 && reached === 3) ? 'border-ink' : 'border-line',
          )}
        >
          <p className={index <= reached ? 'font-medium' : 'text-ink-2'}>{step.name}</p>
          <p className="text-13 text-ink-3">
            {step.at ? <LocalTime at={step.at} /> : 'Within minutes of the result'}
          </p>
          {step.latest && (
            <p className="text-13 text-ink-3">
              <LocalTime at={step.latest} /> at the latest
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
