import type { QueryClient } from '@tanstack/react-query';
import type { Market, MarketList } from '#lib/api/schemas/market.ts';
import { marketKeys } from '../queries/marketKeys.ts';

/**
 * Subscribes to every list of markets that enters the query cache, from the stream or a poll.
 * Returns the unsubscribe function.
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
