'use client';

import clsx from 'clsx';
import dynamic from 'next/dynamic';
import { Until } from '#components/ui/Durations.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { useLiveMarket } from '#lib/browser/market/livePrices.ts';
import { estimate } from '#lib/format/money.ts';
import { changePoints, impliedChance, type MarketView } from '#lib/market/marketView.ts';
import { ChanceBar } from './ChanceBar.tsx';
import { PriceChange } from './PriceChange.tsx';
import { priceStyle, SidePrice } from './SidePrice.tsx';
import { STATUS_WORDS } from './StatusBadge.tsx';

/** Settled markets are rare in lists. */
const MarketResult = dynamic(() => import('./MarketResult.tsx').then((part) => part.MarketResult));

/** The live fields of a list's rows; the server renders the rest. */
type LiveFieldProps = { market: MarketView };

export function LiveChance({ market }: LiveFieldProps) {
  const live = useLiveMarket(market);
  const implied = impliedChance(live);
  return implied === null ? <span className="text-ink-3">–</span> : estimate(live, implied);
}

export function LiveChanceBar({ market }: LiveFieldProps) {
  return <ChanceBar market={useLiveMarket(market)} />;
}

export function LiveMarketPrices({ market }: LiveFieldProps) {
  return <MarketPrices market={useLiveMarket(market)} />;
}

export function LivePriceChange({ market }: LiveFieldProps) {
  return <PriceChange points={changePoints(useLiveMarket(market))} />;
}

/** Only while the market trades, and only if its price has moved. */
export function LiveMove({ market }: LiveFieldProps) {
  const live = useLiveMarket(market);
  if (live.status !== 'open') return null;
  return <PriceChange points={changePoints(live) || null} className="text-12" />;
}

export function LiveTimeLeft({ market, renderedAtMs }: LiveFieldProps & { renderedAtMs: number }) {
  const { status, expectedEndTime } = useLiveMarket(market);
  return status === 'open' ? (
    <Until at={expectedEndTime} renderedAtMs={renderedAtMs} />
  ) : (
    STATUS_WORDS[status]
  );
}

/** Both sides' prices as links to their tickets, or the result. */
function MarketPrices({ market }: { market: MarketView }) {
  if (market.status === 'settled') return <MarketResult market={market} />;
  return (['yes', 'no'] as const).map((side) => (
    <PageLink
      key={side}
      href={`/markets/${market.ticker}?side=${side}`}
      className={clsx(priceStyle(market, side), 'transition-colors duration-(--quick)')}
    >
      <SidePrice market={market} side={side} verb="Buy " />
    </PageLink>
  ));
}
