import { useQueries } from '@tanstack/react-query';
import clsx from 'clsx';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import type { PriceHistoryRange } from '#lib/api/schemas/market.ts';
import { chancePoints, endingAt } from '#lib/browser/market/chancePoints.ts';
import { priceHistoryQuery } from '#lib/browser/queries/markets.ts';
import { chartRanges, firstRange } from '#lib/market/chartRanges.ts';
import { impliedChance, type MarketView } from '#lib/market/marketView.ts';
import { ChartFrame } from './ChartFrame.tsx';
import { CHANCE_SCALE, type ChartLine, lineToken, PAYOUT_SCALE } from './chartLines.ts';
import { RangeSwitch } from './RangeSwitch.tsx';

type EventChartPanelProps = { markets: MarketView[]; renderedAtMs: number };

/** Compares the outcomes of an event. */
export function EventChartPanel({ markets, renderedAtMs }: EventChartPanelProps) {
  const { api } = useApp();
  const life = lifeOf(markets);
  const [range, setRange] = useState<PriceHistoryRange>(() => firstRange(life, renderedAtMs));
  const ranges = chartRanges(life, renderedAtMs);
  const [hidden, setHidden] = useState<string[]>([]);
  const histories = useQueries({
    queries: markets.map((market) => priceHistoryQuery(api, market.ticker, range)),
  });
  const lines = markets.map((market, index) => ({
    key: market.ticker,
    label: market.label,
    token: lineToken(index),
    points: endingAt(chancePoints(histories[index]?.data?.points ?? []), impliedChance(market)),
  }));
  const toggle = (key: string) =>
    setHidden(hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key]);
  const isScalar = markets.some((market) => market.isScalar);
  const quantity = isScalar ? 'Expected payout' : 'Chance';
  return (
    <section aria-labelledby="chart-heading">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="chart-heading" className="font-semibold text-17">
          {quantity} over time
        </h2>
        {ranges.length > 1 && <RangeSwitch ranges={ranges} value={range} onChange={setRange} />}
      </div>
      <Legend lines={lines} hidden={hidden} onToggle={toggle} />
      <ChartFrame
        lines={lines.filter((line) => !hidden.includes(line.key))}
        scale={isScalar ? PAYOUT_SCALE : CHANCE_SCALE}
        quantity={quantity}
        isPending={histories.some((history) => history.isPending)}
        isError={histories.every((history) => history.isError && !history.data)}
      />
    </section>
  );
}

/** From the first opening to the last close. */
function lifeOf(markets: MarketView[]) {
  return {
    openTime: markets.map(({ openTime }) => openTime).sort()[0] ?? '',
    closeTime:
      markets
        .map(({ closeTime }) => closeTime)
        .sort()
        .at(-1) ?? '',
  };
}

type LegendProps = { lines: ChartLine[]; hidden: string[]; onToggle: (key: string) => void };

function Legend({ lines, hidden, onToggle }: LegendProps) {
  return (
    <ul className="mb-2 flex flex-wrap gap-1" aria-label="Chart lines">
      {lines.map((line) => {
        const shown = !hidden.includes(line.key);
        return (
          <li key={line.key}>
            <button
              type="button"
              aria-pressed={shown}
              onClick={() => onToggle(line.key)}
              className={clsx(
                'flex min-h-11 items-center gap-2 rounded-md px-2.5 text-13 hover:bg-sunken md:min-h-8',
                shown ? 'text-ink' : 'text-ink-3 line-through',
              )}
            >
              <span
                aria-hidden
                className="h-[3px] w-4 rounded-full"
                style={{ background: shown ? `var(${line.token})` : 'var(--line)' }}
              />
              {line.label}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
