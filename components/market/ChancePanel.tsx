'use client';

import type { ReactNode } from 'react';
import { Segmented } from '#components/ui/Segmented.tsx';
import type { PriceHistoryRange } from '#lib/api/schemas/market.ts';
import { CHART_RANGES, ChartFrame } from './ChartFrame.tsx';
import { CHANCE_SCALE, type ChartLine } from './chartLines.ts';

type ChancePanelProps = {
  range: PriceHistoryRange;
  onRange: (range: PriceHistoryRange) => void;
  lines: ChartLine[];
  isPending: boolean;
  isError: boolean;
  /** Shown between the head and the chart. */
  legend?: ReactNode;
};

/** A chart of chances with its range; the caller supplies the lines. */
export function ChancePanel(props: ChancePanelProps) {
  const { range, onRange, legend, ...chart } = props;
  return (
    <section aria-labelledby="chart-heading">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="chart-heading" className="font-semibold text-17">
          Chance over time
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
      <ChartFrame scale={CHANCE_SCALE} quantity="Chance" {...chart} />
    </section>
  );
}
