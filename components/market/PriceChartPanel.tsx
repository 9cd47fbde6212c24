'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { Segmented } from '#components/ui/Segmented.tsx';
import { priceHistoryQuery } from '#lib/api/queries/markets.ts';
import type { PriceHistoryRange } from '#lib/api/schemas/market.ts';
import { utc } from '#lib/format/time.ts';
import { type ChancePoint, chancePoints } from '#lib/market/chancePoints.ts';

const PriceChart = dynamic(() => import('./PriceChart.tsx').then((m) => m.PriceChart), {
  ssr: false,
  loading: () => <div className="skeleton h-[260px]" />,
});

const RANGES: readonly { value: PriceHistoryRange; label: string }[] = [
  { value: '1h', label: '1H' },
  { value: '6h', label: '6H' },
  { value: '1d', label: '1D' },
  { value: '1w', label: '1W' },
  { value: '1m', label: '1M' },
  { value: 'all', label: 'All' },
];

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
          value={range}
          onChange={setRange}
          options={RANGES}
          className="[&_label]:px-2.5 [&_label]:text-[13px]"
        />
      </div>
      {history.isPending ? (
        <div className="skeleton h-[260px]" />
      ) : points.length < 2 ? (
        <p className="sheet grid h-[120px] place-items-center px-4 text-center text-[14px] text-ink-3">
          {history.isError
            ? 'The price history did not load.'
            : 'Too few prices have been recorded in this range to draw a line.'}
        </p>
      ) : (
        <>
          <PriceChart points={points} />
          <ChartTable points={points} />
        </>
      )}
    </section>
  );
}

const TABLE_ROWS = 24;

/** The chart for those who cannot see it. */
function ChartTable({ points }: { points: ChancePoint[] }) {
  const every = Math.ceil(points.length / TABLE_ROWS);
  return (
    <table className="sr-only">
      <caption>Chance of Yes over time</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Chance</th>
        </tr>
      </thead>
      <tbody>
        {points
          .filter((_, index) => index % every === 0 || index === points.length - 1)
          .map((point) => (
            <tr key={point.time}>
              <td>{utc(new Date(point.time * 1_000).toISOString())}</td>
              <td>{point.percent}%</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
