import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { chancePoints } from '#lib/browser/market/chancePoints.ts';
import { ownTrades } from '#lib/browser/market/ownTrades.ts';
import { priceHistoryQuery } from '#lib/browser/queries/markets.ts';
import { ownTradesQuery } from '#lib/browser/queries/ownTrades.ts';
import { FIRST_RANGE } from '#lib/market/marketPage.ts';
import { ChancePanel } from './ChancePanel.tsx';
import type { ChartMark } from './chartLines.ts';

export function PriceChartPanel({ ticker }: { ticker: string }) {
  const { api } = useApp();
  const [range, setRange] = useState(FIRST_RANGE);
  const history = useQuery(priceHistoryQuery(api, ticker, range));
  const points = chancePoints(history.data?.points ?? []);
  const marks = useTradeMarks(ticker);
  return (
    <ChancePanel
      range={range}
      onRange={setRange}
      lines={[{ key: ticker, label: 'Yes', token: '--ink', points, marks }]}
      isPending={history.isPending}
      isError={history.isError && !history.data}
    />
  );
}

function useTradeMarks(ticker: string): ChartMark[] {
  const { api } = useApp();
  const { account } = useVisitor();
  const trades = useQuery({
    ...ownTradesQuery(api, account?.smartAccountAddress ?? '', ticker),
    enabled: account !== undefined,
  });
  return ownTrades(trades.data?.items ?? []).map(({ time, kind, side, text }) => ({
    time,
    kind,
    text,
    token: side === 'yes' ? '--yes' : '--no',
  }));
}
