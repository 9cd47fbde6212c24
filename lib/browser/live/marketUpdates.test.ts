import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { marketKeys } from '../queries/marketKeys.ts';
import { followMarketUpdates } from './marketUpdates.ts';

const market = (ticker: string) => ({ ticker }) as never;

test('tells of every list of markets that comes, until it is stopped', () => {
  const cache = new QueryClient();
  const told: string[][] = [];
  const stop = followMarketUpdates(cache, (markets) =>
    told.push(markets.map(({ ticker }) => ticker)),
  );
  cache.setQueryData(marketKeys.list({ tickers: ['A', 'B'] }), {
    markets: [market('A'), market('B')],
  });
  cache.setQueryData(marketKeys.detail('A'), { market: market('A') });
  cache.setQueryData(['orders', 'list'], { orders: [] });
  expect(told).toEqual([['A', 'B']]);
  stop();
  cache.setQueryData(marketKeys.list({ tickers: ['C'] }), { markets: [market('C')] });
  expect(told).toHaveLength(1);
});
