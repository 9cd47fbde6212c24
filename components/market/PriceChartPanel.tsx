'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { Segmented } from '#components/ui/Segmented.tsx';
import { priceHistoryQuery } from '#lib/api/queries/markets.ts';
import type { PriceHistoryRange } from '#lib/api/schemas/market.ts';
import { chancePoints } from '#lib/market/chancePoints.ts';
import { CHART_RANGES, ChartFrame } from './ChartFrame.tsx';
import { CHANCE_SCALE } from './chartLines.ts';

/** How the chance moved, from recorded prices. A market with hardly any past says so. */
export function PriceChartPanel({ ticker }: { ticker: string }) {
  const { api } = useApp();
  const [range, setRange] = useState<PriceHistoryRange>('1d');
  const history = useQuery(priceHistoryQuery(api, ticker, range));
  const points = chancePoints(history.data?.points ?? []);
  return (
    <section aria-labelledby="chart-heading">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="chart-heading" className="font-semibold text-[17px]">
          Chance over time
        </h2>
        <Segmented
          legend="Time range"
          size="s"
          value={range}
          onChange={setRange}
          options={CHART_RANGES}
        />
      </div>
      <ChartFrame
        scale={CHANCE_SCALE}
        quantity="Chance"
        lines={[{ key: ticker, label: 'Yes', token: '--ink', points }]}
        isPending={history.isPending}
        isError={history.isError && !history.data}
      />
    </section>
  );
}
