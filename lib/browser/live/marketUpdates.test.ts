import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { marketKeys } from '../queries/marketKeys.ts';
import { followMarketUpdates } from './marketUpdates.ts';

const market = (ticker: string) => ({ ticker }) as never;

test('reports every new list of markets until stopped', () => {
  const cache = new QueryClient();
  const received: string[][] = [];
  const stop = followMarketUpdates(cache, (markets) =>
    received.push(markets.map(({ ticker }) => ticker)),
  );
  cache.setQueryData(marketKeys.list({ tickers: ['A', 'B'] }), {
    markets: [market('A'), market('B')],
  });
  cache.setQueryData(marketKeys.detail('A'), { market: market('A') });
  cache.setQueryData(['orders', 'list'], { orders: [] });
  expect(received).toEqual([['A', 'B']]);
  stop();
  cache.setQueryData(marketKeys.list({ tickers: ['C'] }), { markets: [market('C')] });
  expect(received).toHaveLength(1);
});
