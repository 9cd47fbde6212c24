import type { QueryClient } from '@tanstack/react-query';
import type { Market, MarketList } from '#lib/api/schemas/market.ts';
import { marketKeys } from '../queries/marketKeys.ts';

/**
 * Follows every list of markets that comes into the query cache, by the stream or by asking.
 * Answers how to stop.
 */
export function followMarketUpdates(
  cache: QueryClient,
  onNews: (markets: readonly Market[]) => void,
): () => void {
  const [all, lists] = marketKeys.lists;
  return cache.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    if (event.query.queryKey[0] !== all || event.query.queryKey[1] !== lists) return;
    const data = event.query.state.data as MarketList | undefined;
    if (data) onNews(data.markets);
  });
}
