import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { useShardPauses } from '#components/market/useShardPauses.ts';
import type { EventResponse } from '#lib/api/schemas/market.ts';
import { marketKeys } from '#lib/browser/queries/marketKeys.ts';
import { marketQuery } from '#lib/browser/queries/markets.ts';
import { marketViewOf } from '#lib/market/convertMarket.ts';

/**
 * A market of the workspace, with a pause of its part of the exchange. A market of the watchlist is
 * there at once, so that keys pressed in a row reach its ticket.
 */
export function useTileMarket(ticker: string) {
  const { api } = useApp();
  const cache = useQueryClient();
  const { data, isError } = useQuery({
    ...marketQuery(api, ticker),
    placeholderData: () => {
      const market = cache
        .getQueriesData<EventResponse>({ queryKey: marketKeys.events })
        .flatMap(([, found]) => found?.event.markets ?? [])
        .find((one) => one.ticker === ticker);
      return market && { market };
    },
  });
  const { pausedShardOf, withPause } = useShardPauses();
  const market = data && marketViewOf(data.market);
  return {
    market: market && withPause(market),
    pausedShard: market && pausedShardOf(market),
    isError,
  };
}
