'use client';

import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useMemo } from 'react';
import { BrandMark } from '#components/app/Brand.tsx';
import { DataProvider } from '#components/app/DataProvider.tsx';
import { ChanceBar } from '#components/market/ChanceBar.tsx';
import { EndsIn } from '#components/market/EndsIn.tsx';
import { MarketResult } from '#components/market/MarketResult.tsx';
import { PriceChange } from '#components/market/PriceChange.tsx';
import { priceStyle, SidePrice } from '#components/market/SidePrice.tsx';
import { STATUS_WORDS } from '#components/market/StatusBadge.tsx';
import { createTradingClient } from '#lib/api/tradingClient.ts';
import { marketKeys } from '#lib/browser/queries/marketKeys.ts';
import { contractsShort, estimate } from '#lib/format/money.ts';
import { changePoints, impliedChance, type MarketView, withFresh } from '#lib/market/marketView.ts';
import { outcomeOf } from '#lib/market/outcomeName.ts';

type EmbedCardProps = { market: MarketView; apiKey: string; renderedAtMs: number };

/**
 * A market on a page of another site. It reads the public interface and knows no wallet and no
 * session, because the page around it can place anything over it.
 */
export function EmbedCard(props: EmbedCardProps) {
  return (
    <DataProvider>
      <LiveCard {...props} />
    </DataProvider>
  );
}

/** A page can show many cards for hours; a hidden one does not ask at all. */
const REFRESH_MS = 10_000;

function LiveCard({ market: rendered, apiKey, renderedAtMs }: EmbedCardProps) {
  const { ticker } = rendered;
  const api = useMemo(() => createTradingClient({ baseUrl: '', apiKey }), [apiKey]);
  const { data } = useQuery({
    queryKey: marketKeys.detail(ticker),
    queryFn: ({ signal }) => api.getMarket(ticker, { signal }),
    refetchInterval: REFRESH_MS,
  });
  const market = withFresh(rendered, data?.market);
  const outcome = outcomeOf(market.title, market.label);
  return (
    <article className="flex min-h-dvh flex-col gap-3 bg-surface p-4 text-ink">
      <a {...opens(ticker)} className="group grid gap-0.5">
        <h1 className="wrap-anywhere font-semibold text-16 leading-snug group-hover:underline group-hover:underline-offset-4">
          {outcome ?? market.title}
        </h1>
        {outcome && <span className="line-clamp-2 text-13 text-ink-2">{market.title}</span>}
      </a>
      <Chance market={market} />
      <ChanceBar market={market} />
      {market.status !== 'settled' && <Prices market={market} />}
      <footer className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-ink-3">
        <a {...opens(ticker)} className="mr-auto flex items-center gap-1.5 font-medium text-ink-2">
          <BrandMark className="size-4" />
          Crossbook
        </a>
        <span className="nums">{contractsShort(market.volumeContractMicros)} contracts traded</span>
        <span>
          {market.status === 'open' ? (
            <EndsIn market={market} renderedAtMs={renderedAtMs} />
          ) : (
            STATUS_WORDS[market.status]
          )}
        </span>
      </footer>
    </article>
  );
}

/** A link to the market. It opens in a tab of its own, where the address bar names Crossbook. */
function opens(ticker: string, side?: 'yes' | 'no') {
  const query = side === undefined ? '' : `?side=${side}`;
  return { href: `/markets/${ticker}${query}`, target: '_blank', rel: 'noopener' };
}

function Chance({ market }: { market: MarketView }) {
  const implied = impliedChance(market);
  if (market.status === 'settled') {
    return (
      <p className="text-22">
        <MarketResult market={market} />
      </p>
    );
  }
  if (implied === null) return <p className="text-15 text-ink-2">No price yet</p>;
  return (
    <p className="flex items-baseline gap-2">
      <span className="nums font-semibold text-32 leading-none tracking-[-0.02em]">
        {estimate(market, implied)}
      </span>
      <span className="text-13 text-ink-2">
        {market.isScalar ? 'expected payout' : 'chance'} of Yes
      </span>
      <PriceChange points={changePoints(market) || null} className="text-13" />
    </p>
  );
}

function Prices({ market }: { market: MarketView }) {
  return (
    <div className="flex gap-2">
      {(['yes', 'no'] as const).map((side) => (
        <a
          key={side}
          {...opens(market.ticker, side)}
          className={clsx(priceStyle(market, side), 'flex-1')}
        >
          <SidePrice market={market} side={side} verb="Buy " />
        </a>
      ))}
    </div>
  );
}
