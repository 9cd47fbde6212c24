import { useQueries } from '@tanstack/react-query';
import clsx from 'clsx';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import type { PriceHistoryRange } from '#lib/api/schemas/market.ts';
import { chancePoints } from '#lib/browser/market/chancePoints.ts';
import { priceHistoryQuery } from '#lib/browser/queries/markets.ts';
import type { MarketView } from '#lib/market/marketView.ts';
import { ChancePanel } from './ChancePanel.tsx';
import { type ChartLine, LINE_TOKENS } from './chartLines.ts';

export function EventChartPanel({ markets }: { markets: MarketView[] }) {
  const { api } = useApp();
  const [range, setRange] = useState<PriceHistoryRange>('1d');
  const [hidden, setHidden] = useState<string[]>([]);
  const histories = useQueries({
    queries: markets.map((market) => priceHistoryQuery(api, market.ticker, range)),
  });
  const lines = markets.map((market, index) => ({
    key: market.ticker,
    label: market.label,
    token: LINE_TOKENS[index % LINE_TOKENS.length] ?? '--ink',
    points: chancePoints(histories[index]?.data?.points ?? []),
  }));
  const toggle = (key: string) =>
    setHidden(hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key]);
  return (
    <ChancePanel
      isScalar={markets.some((market) => market.isScalar)}
      range={range}
      onRange={setRange}
      lines={lines.filter((line) => !hidden.includes(line.key))}
      isPending={histories.some((history) => history.isPending)}
      isError={histories.every((history) => history.isError && !history.data)}
      legend={<Legend lines={lines} hidden={hidden} onToggle={toggle} />}
    />
  );
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
