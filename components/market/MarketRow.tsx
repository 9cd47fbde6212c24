'use client';

import type { ReactNode } from 'react';
import { useLiveMarket } from '#lib/browser/market/livePrices.ts';
import { chance } from '#lib/format/money.ts';
import { changePoints, impliedChance, type MarketView } from '#lib/market/marketView.ts';
import { ChanceBar } from './ChanceBar.tsx';
import { MarketPrices } from './MarketPrices.tsx';
import { PriceChange } from './PriceChange.tsx';

type MarketRowProps = {
  market: MarketView;
  /** Whether it is the only one of its event, whose title then says it all. */
  single: boolean;
  /** Its last day, drawn by the server. */
  line: ReactNode;
};

/** An outcome on an event's card; its numbers move. */
export function MarketRow({ market: shown, single, line }: MarketRowProps) {
  const market = useLiveMarket(shown);
  const implied = impliedChance(market);
  return (
    <li className="outcome-row border-t px-4 py-3 md:px-5">
      <div className="flex min-w-0 items-baseline gap-2 [grid-area:label]">
        <a
          href={`/markets/${market.ticker}`}
          className="line-clamp-2 min-w-0 text-14 hover:underline hover:underline-offset-4"
        >
          {single && market.label === market.title ? 'Chance of Yes' : market.label}
        </a>
        {market.status === 'open' && (
          <PriceChange points={changePoints(market) || null} className="text-12" />
        )}
      </div>
      {line}
      <div className="[grid-area:rule]">
        <ChanceBar market={market} />
      </div>
      <div className="nums text-right font-semibold text-18 [grid-area:chance]">
        {implied === null ? <span className="text-ink-3">–</span> : chance(implied)}
      </div>
      <div className="flex gap-1.5 [grid-area:prices]">
        <MarketPrices market={market} />
      </div>
    </li>
  );
}
