import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { marketQuery } from '#lib/browser/queries/markets.ts';
import { dollarsDown } from '#lib/format/money.ts';
import { marketViewOf } from '#lib/market/convertMarket.ts';
import { worthNowMicros } from '#lib/market/worthNow.ts';
import { costMicros } from '#lib/money.ts';

/** A figure beside a past movement: it needs no second-by-second price. */
const FRESH_MS = 60_000;

type ValueNowProps = { marketId: string; side: 'yes' | 'no'; contractMicros: bigint };

/** What contracts are worth now: at their payout, or at the best bid. */
export function ValueNow({ marketId, side, contractMicros }: ValueNowProps) {
  const { api } = useApp();
  const { data } = useQuery({
    ...marketQuery(api, marketId),
    refetchInterval: false,
    staleTime: FRESH_MS,
  });
  const each = data && worthNowMicros(marketViewOf(data.market), side);
  if (each === undefined || each === null) return '–';
  return dollarsDown(costMicros(contractMicros, each, 'down'));
}
