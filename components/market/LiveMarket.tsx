'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { Activity, type ReactNode } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useLiveMarkets } from '#components/app/useLive.ts';
import { TicketSheet } from '#components/trade/TicketSheet.tsx';
import { loadOptionalPart, loadPart } from '#components/ui/loadPart.ts';
import { marketQuery } from '#lib/browser/queries/markets.ts';
import { type MarketView, type ShardView, withFresh } from '#lib/market/marketView.ts';
import { MarketHeader, type PicturedEvent } from './MarketHeader.tsx';
import { PriceChartPanel } from './PriceChartPanel.tsx';
import { useShardPauses } from './useShardPauses.ts';

/** Below the first screen: it hydrates a moment later. */
const BookPanel = dynamic(() =>
  loadPart(() => import('#components/book/BookPanel.tsx').then((part) => part.BookPanel)),
);

/** Rarely shown, so they are not part of the first load. */
const ShardPause = dynamic(() =>
  loadOptionalPart(() => import('./ShardPause.tsx').then((part) => part.ShardPause)),
);

const UnopenedMarket = dynamic(() =>
  import('./UnopenedMarket.tsx').then((part) => part.UnopenedMarket),
);

const MyPosition = dynamic(
  () => loadOptionalPart(() => import('./MyPosition.tsx').then((part) => part.MyPosition)),
  { ssr: false },
);

const MarketHistory = dynamic(
  () => loadOptionalPart(() => import('./MarketHistory.tsx').then((part) => part.MarketHistory)),
  { ssr: false },
);

const StatusFollower = dynamic(
  () => loadOptionalPart(() => import('./StatusFollower.tsx').then((part) => part.StatusFollower)),
  { ssr: false },
);

type LiveMarketProps = {
  market: MarketView;
  event: PicturedEvent | undefined;
  shards: ShardView[];
  /** Other outcomes of the event that the children show. */
  related: Pick<MarketView, 'ticker' | 'status'>[];
  initial: { side: 'yes' | 'no'; action: 'buy' | 'sell' };
  /** Whether the URL names a side, as a price link on another page does. */
  chosen: boolean;
  renderedAtMs: number;
  /** The static parts: rules and facts, rendered by the server. */
  children: ReactNode;
};

export function LiveMarket(props: LiveMarketProps) {
  const { api } = useApp();
  const { data } = useQuery(marketQuery(api, props.market.ticker));
  useLiveMarkets([props.market.ticker]);
  const { pausedShardOf, withPause } = useShardPauses(props.shards);
  const fresh = withFresh(props.market, data?.market);
  const pausedShard = pausedShardOf(fresh);
  const market = withPause(fresh);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 lg:grid-cols-[minmax(0,1fr)_22.5rem]">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-8">
        {pausedShard && <ShardPause shard={pausedShard} />}
        <MarketHeader market={market} event={props.event} renderedAtMs={props.renderedAtMs} />
        {/* Each part hydrates separately, so that the page responds in between. With Suspense the server
            would send a large part after the page and leave its place empty until then. */}
        {market.status === 'unopened' ? (
          <UnopenedMarket openTime={market.openTime} renderedAtMs={props.renderedAtMs} />
        ) : (
          <>
            <Activity>
              <PriceChartPanel market={market} renderedAtMs={props.renderedAtMs} />
            </Activity>
            <MyPosition market={market} />
            <BookPanel market={market} />
            <MarketHistory ticker={market.ticker} />
          </>
        )}
        {props.children}
        <StatusFollower markets={[props.market, ...props.related]} />
      </div>
      <aside>
        <Activity key={`${props.initial.side} ${props.initial.action}`}>
          <TicketSheet market={market} initial={props.initial} openAtOnce={props.chosen} />
        </Activity>
      </aside>
    </div>
  );
}
