import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { ChartFrame } from '#components/market/ChartFrame.tsx';
import { DOLLAR_SCALE, PROFIT_SCALE } from '#components/market/chartLines.ts';
import { Segmented } from '#components/ui/Segmented.tsx';
import { useAmountsHidden } from '#lib/browser/portfolio/hiddenAmounts.ts';
import {
  FIRST_VALUE_RANGE,
  isBehind,
  profitOver,
  profitPoints,
  valuePoints,
} from '#lib/browser/portfolio/valuePoints.ts';
import { portfolioHistoryQuery } from '#lib/browser/queries/account.ts';
import { dollarsSigned } from '#lib/format/money.ts';
import { Amount } from './Amount.tsx';

/** Poll intervals: normally, and while the recorded value is older than the rest of the page. */
const USUAL_MS = 30_000;
const BEHIND_MS = 3_000;

type ValueChartProps = {
  address: string;
  /** The current value of the account, as in the totals above. */
  nowMicros: bigint;
};

export function ValueChart({ address, nowMicros }: ValueChartProps) {
  const { api } = useApp();
  const hidden = useAmountsHidden();
  const [range, setRange] = useState(FIRST_VALUE_RANGE);
  const history = useQuery({
    ...portfolioHistoryQuery(api, address, range),
    refetchInterval: ({ state }) =>
      isBehind(state.data?.points ?? [], nowMicros) ? BEHIND_MS : USUAL_MS,
  });
  const [quantity, setQuantity] = useState<Quantity>('Profit');
  const recorded = history.data?.points ?? [];
  const profit = profitOver(recorded, range);
  const isProfit = quantity === 'Profit';
  if (hidden) return null;
  return (
    <section aria-labelledby="value-heading">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="value-heading" className="font-semibold text-17">
          {quantity} over time
        </h2>
        <div className="flex flex-wrap gap-2">
          <Segmented
            legend="Quantity"
            size="s"
            value={quantity}
            onChange={setQuantity}
            options={QUANTITIES}
          />
          <Segmented
            legend="Time range"
            size="s"
            value={range}
            onChange={setRange}
            options={VALUE_RANGES}
          />
        </div>
      </div>
      <p className="nums mt-1 mb-3 min-h-[1lh] text-14 text-ink-2">
        {profit !== undefined && (
          <>
            Profit <Amount>{dollarsSigned(profit)}</Amount>{' '}
            {VALUE_RANGES.find(({ value }) => value === range)?.words}
          </>
        )}
      </p>
      <ChartFrame
        key={quantity}
        scale={isProfit ? PROFIT_SCALE : DOLLAR_SCALE}
        quantity={quantity}
        lines={[
          {
            key: quantity,
            label: 'Account',
            token: '--ink',
            points: isProfit ? profitPoints(recorded, range) : valuePoints(recorded, nowMicros),
          },
        ]}
        isPending={history.isPending}
        isError={history.isError && !history.data}
      />
    </section>
  );
}

const VALUE_RANGES = [
  { value: '1d', label: '1D', words: 'past day' },
  { value: '1w', label: '1W', words: 'past week' },
  { value: '1m', label: '1M', words: 'past month' },
  { value: 'all', label: 'All', words: 'all time' },
] as const;

type Quantity = 'Profit' | 'Value';
const QUANTITIES: readonly { value: Quantity; label: Quantity }[] = [
  { value: 'Profit', label: 'Profit' },
  { value: 'Value', label: 'Value' },
];
