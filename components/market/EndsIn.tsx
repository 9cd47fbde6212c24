'use client';

import { useNow } from '#components/ui/clock.ts';
import { Until } from '#components/ui/Durations.tsx';
import type { MarketView } from '#lib/market/marketView.ts';

type EndsInProps = {
  market: Pick<MarketView, 'closeTime' | 'expectedEndTime'>;
  renderedAtMs: number;
};

const MINUTE_MS = 60_000;

/** A countdown to the end of trading, which is an estimate where the deadline is later. */
export function EndsIn({ market, renderedAtMs }: EndsInProps) {
  const now = useNow(MINUTE_MS) ?? renderedAtMs;
  const { closeTime, expectedEndTime } = market;
  if (closeTime !== expectedEndTime && Date.parse(expectedEndTime) <= now) return 'Result expected';
  return (
    <>
      {closeTime === expectedEndTime ? 'Closes in ' : 'Expected in '}
      <Until at={expectedEndTime} renderedAtMs={renderedAtMs} />
    </>
  );
}
