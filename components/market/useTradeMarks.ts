import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { ownTrades, ownTradesQuery } from '#lib/browser/market/ownTrades.ts';
import type { ChartMark } from './chartLines.ts';

export function useTradeMarks(ticker: string): ChartMark[] {
  const { api } = useApp();
  const { account } = useVisitor();
  const trades = useQuery({
    ...ownTradesQuery(api, account?.smartAccountAddress ?? '', ticker),
    enabled: account !== undefined,
  });
  return ownTrades(trades.data?.items ?? []).map(({ time, kind, side, text, yesPriceMicros }) => ({
    time,
    value: Number(yesPriceMicros) / 10_000,
    kind,
    text,
    token: side === 'yes' ? '--yes' : '--no',
  }));
}
