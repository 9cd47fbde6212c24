import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { DataProvider } from '#components/app/DataProvider.tsx';
import { useApp } from '#components/app/useApp.ts';
import { useLiveMarkets } from '#components/app/useLive.ts';
import { followMarketUpdates } from '#lib/browser/live/marketUpdates.ts';
import { clearMarkets, publishMarkets } from '#lib/browser/market/livePrices.ts';
import { marketListQuery } from '#lib/browser/queries/markets.ts';
import { ScoreFollower } from './ScoreFollower.tsx';

type PriceFollowerProps = {
  tickers: readonly string[];
  /** Events whose score is shown. */
  games: readonly string[];
};

/** Polls prices and scores of a list and subscribes to the stream; polling pauses on a hidden page. */
export function PriceFollower(props: PriceFollowerProps) {
  return (
    <DataProvider>
      <Follower {...props} />
      {props.games.length > 0 && <ScoreFollower games={props.games} />}
    </DataProvider>
  );
}

/** Markets per request. */
const GROUP = 100;
const STREAMED_GROUPS = 2;
const UNSTREAMED_MS = 15_000;

function groupsOf<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / GROUP) }, (_, index) =>
    items.slice(index * GROUP, (index + 1) * GROUP),
  );
}

function Follower({ tickers }: Pick<PriceFollowerProps, 'tickers'>) {
  const { api } = useApp();
  const cache = useQueryClient();
  useLiveMarkets(tickers);
  useEffect(() => {
    const stop = followMarketUpdates(cache, publishMarkets);
    return () => {
      stop();
      clearMarkets();
    };
  }, [cache]);
  const groups = groupsOf(tickers);
  useQueries({
    queries: groups.map((group, index) => ({
      ...marketListQuery(api, { tickers: group, status: 'open', limit: group.length }),
      // The stream has a maximum number of markets; a long list polls its first ones instead.
      ...(index < groups.length - STREAMED_GROUPS && { refetchInterval: UNSTREAMED_MS }),
    })),
    // Updates go to the rows that show them; this component never re-renders.
    combine: () => undefined,
  });
  return null;
}
