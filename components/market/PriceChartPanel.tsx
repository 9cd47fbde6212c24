import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { chancePoints } from '#lib/browser/market/chancePoints.ts';
import { priceHistoryQuery } from '#lib/browser/queries/markets.ts';
import { FIRST_RANGE } from '#lib/market/marketPage.ts';
import { ChancePanel } from './ChancePanel.tsx';
import { useTradeMarks } from './useTradeMarks.ts';

type PriceChartPanelProps = { ticker: string; isScalar: boolean };

export function PriceChartPanel({ ticker, isScalar }: PriceChartPanelProps) {
  const { api } = useApp();
  const [range, setRange] = useState(FIRST_RANGE);
  const history = useQuery(priceHistoryQuery(api, ticker, range));
  const points = chancePoints(history.data?.points ?? []);
  const marks = useTradeMarks(ticker);
  return (
    <ChancePanel
      isScalar={isScalar}
      range={range}
      onRange={setRange}
      lines={[{ key: ticker, label: 'Yes', token: '--ink', points, marks }]}
      isPending={history.isPending}
      isError={history.isError && !history.data}
    />
  );
}
