import type { ReactNode } from 'react';
import { Until } from '#components/ui/Durations.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { chance } from '#lib/format/money.ts';
import { distinctionsIn } from '#lib/market/distinctions.ts';
import { changePoints, impliedChance, type MarketView } from '#lib/market/marketView.ts';
import type { Spark } from '#lib/market/sparkline.ts';
import { ListingPicture } from './ListingPicture.tsx';
import { listHref, NO_FILTER } from './listFilter.ts';
import { PriceChange } from './PriceChange.tsx';
import { Sparkline } from './Sparkline.tsx';

/** A market beside those of other events. */
export type FrontMarket = MarketView & { category: string };
export type FrontMarkets = { movers: FrontMarket[]; closing: FrontMarket[] };
type HighlightsProps = FrontMarkets & {
  renderedAtMs: number;
  sparks: ReadonlyMap<string, Spark>;
};

export function Highlights({ movers, closing, renderedAtMs, sparks }: HighlightsProps) {
  const movingSubtitles = subtitlesOf(movers);
  const closingSubtitles = subtitlesOf(closing);
  return (
    <div className="relative -mx-4 mb-6 grid auto-cols-[minmax(min(18.125rem,88%),1fr)] grid-flow-col gap-4 overflow-x-auto px-4 pb-1 [scrollbar-width:none] lg:mx-0 lg:px-0">
      {movers.length > 0 && (
        <Strip title="Biggest moves today" href={listHref(NO_FILTER, { sort: 'movers' })}>
          {movers.map((market) => (
            <Line key={market.ticker} market={market} subtitles={movingSubtitles}>
              <Sparkline spark={sparks.get(market.ticker)} />
              <PriceChange points={changePoints(market)} className="text-13" />
            </Line>
          ))}
        </Strip>
      )}
      {closing.length > 0 && (
        <Strip title="Ending soon" href={listHref(NO_FILTER, { sort: 'closing' })}>
          {closing.map((market) => (
            <Line key={market.ticker} market={market} subtitles={closingSubtitles}>
              <span className="nums whitespace-nowrap text-13 text-ink-3">
                <span className="sr-only">ends in </span>
                <Until at={market.expectedEndTime} renderedAtMs={renderedAtMs} />
              </span>
            </Line>
          ))}
        </Strip>
      )}
    </div>
  );
}

function Strip({ title, href, children }: { title: string; href: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="group/strip min-w-0">
      <header className="flex items-baseline justify-between gap-3 border-ink border-t-2 pt-2 pb-1">
        <h2 className="font-semibold text-14">{title}</h2>
        <PageLink
          href={href}
          className="tap px-2 py-1 -mr-2 text-13 text-ink-2 hover:text-ink hover:underline hover:underline-offset-4"
        >
          All<span className="sr-only"> of {title.toLowerCase()}</span>
        </PageLink>
      </header>
      {/* A single column would put names and numbers far apart. */}
      <ul className="divide-y lg:group-only/strip:grid lg:group-only/strip:grid-cols-2 lg:group-only/strip:gap-x-10 lg:group-only/strip:[&>li:nth-last-child(2)]:border-b-0">
        {children}
      </ul>
    </section>
  );
}

/** The outcomes where the titles do not name them, and the dates where that is not enough. */
function subtitlesOf(markets: readonly MarketView[]): ReadonlyMap<string, string> {
  const named = markets.map(({ ticker, title, label, expectedEndTime }) => ({
    ticker,
    title,
    subtitle: title.includes(label) ? '' : label,
    endTime: expectedEndTime,
  }));
  const outcomes = named.map(({ ticker, subtitle }) => [ticker, subtitle] as const);
  return new Map([...outcomes, ...distinctionsIn(named)]);
}

type LineProps = {
  market: FrontMarket;
  subtitles: ReadonlyMap<string, string>;
  children: ReactNode;
};

function Line({ market, subtitles, children }: LineProps) {
  const subtitle = subtitles.get(market.ticker);
  const implied = impliedChance(market);
  return (
    <li>
      <PageLink
        href={`/markets/${market.ticker}`}
        className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto_2.75rem] sm:grid-cols-[auto_minmax(0,1fr)_auto_2.75rem] items-center gap-3 py-1.5 text-14 hover:bg-sunken"
      >
        <ListingPicture
          picture={market.picture}
          category={market.category}
          className="size-7 max-sm:hidden"
        />
        <span className="min-w-0">
          <span className="line-clamp-2 md:line-clamp-1">{market.title}</span>
          {subtitle && <span className="block truncate text-13 text-ink-3">{subtitle}</span>}
        </span>
        <span className="flex items-center justify-end gap-2.5 max-[20rem]:[&>svg]:hidden">
          {children}
        </span>
        <span className="nums text-right font-semibold">
          {implied === null ? '–' : chance(implied)}
        </span>
      </PageLink>
    </li>
  );
}
