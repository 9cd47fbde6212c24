import type { ReactNode } from 'react';
import { PageLink } from '#components/ui/PageLink.tsx';
import type { MarketView } from '#lib/market/marketView.ts';
import { LiveChance, LiveChanceBar, LiveMarketPrices, LiveMove } from './LiveMarketFields.tsx';

type MarketRowProps = {
  market: MarketView;
  /** Whether it is the only market of its event, whose title then suffices. */
  single: boolean;
  /** Prices of the last day. */
  line: ReactNode;
};

/** An outcome on an event's card, with live numbers. */
export function MarketRow({ market, single, line }: MarketRowProps) {
  return (
    <li className="outcome-row border-t px-4 py-3 md:px-5">
      <div className="flex min-w-0 items-baseline gap-2 [grid-area:label]">
        <PageLink
          href={`/markets/${market.ticker}`}
          className="line-clamp-2 min-w-0 text-14 hover:underline hover:underline-offset-4"
        >
          {single && market.label === market.title ? 'Chance of Yes' : market.label}
        </PageLink>
        <LiveMove market={market} />
      </div>
      {line}
      <div className="[grid-area:rule]">
        <LiveChanceBar market={market} />
      </div>
      <div className="nums text-right font-semibold text-18 [grid-area:chance]">
        <LiveChance market={market} />
      </div>
      <div className="flex gap-1.5 [grid-area:prices]">
        <LiveMarketPrices market={market} />
      </div>
    </li>
  );
}
