import type { ReactNode } from 'react';
import { Segmented } from '#components/ui/Segmented.tsx';
import type { PriceHistoryRange } from '#lib/api/schemas/market.ts';
import { ChartFrame } from './ChartFrame.tsx';
import { CHANCE_SCALE, type ChartLine, PAYOUT_SCALE } from './chartLines.ts';

const CHART_RANGES: readonly { value: PriceHistoryRange; label: string }[] = [
  { value: '1h', label: '1H' },
  { value: '6h', label: '6H' },
  { value: '1d', label: '1D' },
  { value: '1w', label: '1W' },
  { value: '1m', label: '1M' },
  { value: 'all', label: 'All' },
];

type ChancePanelProps = {
  /** The price of Yes is an expected payout instead of a chance. */
  isScalar: boolean;
  range: PriceHistoryRange;
  onRange: (range: PriceHistoryRange) => void;
  lines: ChartLine[];
  isPending: boolean;
  isError: boolean;
  legend?: ReactNode;
};

export function ChancePanel(props: ChancePanelProps) {
  const { isScalar, range, onRange, legend, ...chart } = props;
  const quantity = isScalar ? 'Expected payout' : 'Chance';
  return (
    <section aria-labelledby="chart-heading">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="chart-heading" className="font-semibold text-17">
          {quantity} over time
        </h2>
        <Segmented
          legend="Time range"
          size="s"
          value={range}
          onChange={onRange}
          options={CHART_RANGES}
        />
      </div>
      {legend}
      <ChartFrame scale={isScalar ? PAYOUT_SCALE : CHANCE_SCALE} quantity={quantity} {...chart} />
    </section>
  );
}
