import clsx from 'clsx';
import type { ReactNode } from 'react';
import { PageLink } from '#components/ui/PageLink.tsx';
import type { MarketView } from '#lib/market/marketView.ts';
import type { Spark } from '#lib/market/sparkline.ts';
import { OutcomeMark } from './ListingPicture.tsx';
import { LiveChance, LiveChanceBar, LiveMarketPrices, LiveMove } from './LiveMarketFields.tsx';
import { OutcomeLabel } from './OutcomeLabel.tsx';
import { Sparkline } from './Sparkline.tsx';

type MarketRowProps = {
  market: MarketView;
  label: string;
  isFirstOfGroup?: boolean;
  spark?: Spark | undefined;
  /** Replaces the outcome's own picture or colour. */
  mark?: ReactNode;
};

/** An outcome on a card: its chance, and both prices as links to the ticket. */
export function MarketRow({ market, label, isFirstOfGroup = false, spark, mark }: MarketRowProps) {
  return (
    <li
      className={clsx('outcome-row px-4 md:px-5', isFirstOfGroup ? 'pt-1.5 pb-3' : 'border-t py-3')}
    >
      <div className="flex min-w-0 items-baseline gap-2 [grid-area:label]">
        {mark ?? <OutcomeMark {...market} />}
        <PageLink
          href={`/markets/${market.ticker}`}
          className="wrap-anywhere min-w-0 text-14 hover:underline hover:underline-offset-4"
        >
          <OutcomeLabel market={market} label={label} />
        </PageLink>
        <LiveMove market={market} />
      </div>
      <Sparkline spark={spark} />
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
