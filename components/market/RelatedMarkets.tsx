import { PageLink } from '#components/ui/PageLink.tsx';
import { chance } from '#lib/format/money.ts';
import { changePoints, impliedChance, type MarketView } from '#lib/market/marketView.ts';
import { PriceChange } from './PriceChange.tsx';

/** Other outcomes of the same event. */
export function RelatedMarkets({ markets }: { markets: MarketView[] }) {
  const [first] = markets;
  if (!first) return null;
  return (
    <section aria-labelledby="related-heading">
      <div className="mb-2 flex items-baseline justify-between gap-4">
        <h2 id="related-heading" className="font-semibold text-17">
          Other outcomes
        </h2>
        <PageLink
          href={`/events/${first.eventTicker}`}
          className="py-1 text-14 text-ink-2 hover:text-ink hover:underline hover:underline-offset-4"
        >
          View event
        </PageLink>
      </div>
      <ul className="sheet divide-y">
        {markets.map((market) => {
          const implied = impliedChance(market);
          return (
            <li key={market.ticker}>
              <PageLink
                href={`/markets/${market.ticker}`}
                className="flex min-h-11 items-center gap-3 px-4 py-2 text-14 hover:bg-sunken"
              >
                <span className="min-w-0 flex-1 truncate">{market.label}</span>
                <PriceChange points={changePoints(market) || null} className="text-13" />
                <span className="nums min-w-12 text-right font-semibold">
                  {implied === null ? '–' : chance(implied)}
                </span>
              </PageLink>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
