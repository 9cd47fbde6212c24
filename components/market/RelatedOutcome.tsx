'use client';

import { useLiveMarket } from '#lib/browser/market/livePrices.ts';
import { estimate } from '#lib/format/money.ts';
import { changePoints, impliedChance, type MarketView } from '#lib/market/marketView.ts';
import { MarketResult } from './MarketResult.tsx';
import { PriceChange } from './PriceChange.tsx';

/** The live price of another outcome, or its result. */
export function RelatedOutcome({ market }: { market: MarketView }) {
  const live = useLiveMarket(market);
  if (live.status === 'settled') return <MarketResult market={live} />;
  const implied = impliedChance(live);
  return (
    <>
      <PriceChange points={changePoints(live) || null} className="text-13" />
      <span className="nums min-w-12 text-right font-semibold">
        {implied === null ? '–' : estimate(live, implied)}
      </span>
    </>
  );
}
