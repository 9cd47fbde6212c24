import { Until } from '#components/ui/Durations.tsx';
import type { MarketView } from '#lib/market/marketView.ts';

type EndsInProps = {
  market: Pick<MarketView, 'closeTime' | 'expectedEndTime'>;
  renderedAtMs: number;
};

/** A countdown to the end of trading, which is an estimate where the deadline is later. */
export function EndsIn({ market, renderedAtMs }: EndsInProps) {
  const { closeTime, expectedEndTime } = market;
  const isEstimate = closeTime !== expectedEndTime;
  if (isEstimate && Date.parse(expectedEndTime) <= renderedAtMs) return 'Result expected';
  return (
    <>
      {isEstimate ? 'Expected in ' : 'Closes in '}
      <Until at={expectedEndTime} renderedAtMs={renderedAtMs} />
    </>
  );
}
