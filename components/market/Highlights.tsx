import type { ReactNode } from 'react';
import { Until } from '#components/ui/Durations.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { duration } from '#lib/format/duration.ts';
import { estimate } from '#lib/format/money.ts';
import { distinctionsIn } from '#lib/market/distinctions.ts';
import { changePoints, impliedChance, type MarketView } from '#lib/market/marketView.ts';
import { outcomeOf } from '#lib/market/outcomeName.ts';
import type { Spark } from '#lib/market/sparkline.ts';
import { ListingPicture } from './ListingPicture.tsx';
import { PriceChange } from './PriceChange.tsx';
import { Sparkline } from './Sparkline.tsx';

/** A market that leads its series. */
export type FrontLine = {
  market: MarketView;
  category: string;
  moreInSeries: number;
};

/** `figure` is what the strip is sorted by, and what its lines show. */
export type FrontStrip = {
  title: string;
  href: string;
  figure: 'change' | 'end' | 'age';
  lines: FrontLine[];
};

type Drawn = { renderedAtMs: number; sparks: ReadonlyMap<string, Spark> };

/** Short lists beside each other; on a phone one row of them that scrolls sideways. */
export function Highlights({ strips, ...drawn }: { strips: FrontStrip[] } & Drawn) {
  return (
    <div className="relative -mx-4 mb-10 grid auto-cols-[minmax(min(18.125rem,88%),1fr)] grid-flow-col gap-x-8 overflow-x-auto px-4 pb-1 [scrollbar-width:none] lg:mx-0 lg:px-0">
      {strips.map((strip) => (
        <Strip key={strip.title} strip={strip} {...drawn} />
      ))}
    </div>
  );
}

function Strip({ strip, ...drawn }: { strip: FrontStrip } & Drawn) {
  const { title, href, figure, lines } = strip;
  const names = namesOf(lines.map(({ market }) => market));
  return (
    <section aria-label={title} className="min-w-0">
      <header className="flex items-baseline justify-between gap-3 border-ink border-t-2 pt-2 pb-1">
        <h2 className="font-semibold text-14">{title}</h2>
        <PageLink
          href={href}
          className="tap -mr-2 px-2 py-1 text-13 text-ink-2 hover:text-ink hover:underline hover:underline-offset-4"
        >
          All<span className="sr-only"> of {title.toLowerCase()}</span>
        </PageLink>
      </header>
      {/* As high as four lines, whatever there is: the page refreshes itself. */}
      <ul className="min-h-[17.6875rem] divide-y">
        {lines.length === 0 && <li className="py-3 text-14 text-ink-3">None right now.</li>}
        {lines.map((line) => (
          <Line key={line.market.ticker} line={line} named={names.get(line.market.ticker)}>
            <LineFigure figure={figure} line={line} {...drawn} />
          </Line>
        ))}
      </ul>
    </section>
  );
}

type LineFigureProps = Drawn & { figure: FrontStrip['figure']; line: FrontLine };

function LineFigure({ figure, line, renderedAtMs, sparks }: LineFigureProps) {
  const { market } = line;
  if (figure === 'change') {
    return (
      <>
        <Sparkline spark={sparks.get(market.ticker)} />
        <PriceChange points={changePoints(market)} className="text-13" />
      </>
    );
  }
  return (
    // As wide as its longest text: a count that gets shorter must not wrap the title anew.
    <span className="nums min-w-20 whitespace-nowrap text-right text-13 text-ink-3">
      {figure === 'end' && (
        <>
          <span className="sr-only">ends in </span>
          <Until at={market.expectedEndTime} renderedAtMs={renderedAtMs} />
        </>
      )}
      {figure === 'age' && `${duration(renderedAtMs - Date.parse(market.openTime))} old`}
    </span>
  );
}

type LineName = { name: string; detail: string | undefined };

/** The outcome first, where the title does not name it; dates tell apart what is still equal. */
function namesOf(markets: readonly MarketView[]): ReadonlyMap<string, LineName> {
  const named = markets.map(({ ticker, title, label, expectedEndTime }) => ({
    ticker,
    title,
    subtitle: outcomeOf(title, label) ?? '',
    endTime: expectedEndTime,
  }));
  const distinctions = distinctionsIn(named);
  return new Map(
    named.map(({ ticker, title, subtitle }) => {
      const distinction = distinctions.get(ticker) ?? subtitle;
      return [
        ticker,
        subtitle === ''
          ? { name: title, detail: distinction || undefined }
          : { name: distinction, detail: title },
      ];
    }),
  );
}

type LineProps = { line: FrontLine; named: LineName | undefined; children: ReactNode };

function Line({ line, named, children }: LineProps) {
  const { market, moreInSeries } = line;
  const implied = impliedChance(market);
  return (
    <li>
      <PageLink
        href={`/markets/${market.ticker}`}
        // Three lines of text, used or not: a title that wraps anew when its font arrives moves nothing.
        className="flex min-h-[4.375rem] items-center gap-3 py-1.5 text-14 hover:bg-sunken"
      >
        <ListingPicture
          picture={market.picture}
          category={line.category}
          className="size-7 max-[23rem]:hidden"
        />
        <span className="wrap-anywhere min-w-0 flex-1">
          <span className="block">{named?.name ?? market.title}</span>
          <span className="block text-13 text-ink-3">
            {named?.detail}
            {named?.detail && moreInSeries > 0 && ' · '}
            {moreInSeries > 0 && (
              <span className="whitespace-nowrap">
                {moreInSeries} similar
                <span className="sr-only"> {moreInSeries === 1 ? 'event' : 'events'}</span>
              </span>
            )}
          </span>
        </span>
        <span className="flex flex-col-reverse items-end sm:flex-row sm:items-center sm:gap-3">
          <span className="flex items-center justify-end gap-2.5 max-[20rem]:[&>svg]:hidden">
            {children}
          </span>
          <span className="nums min-w-11 text-right font-semibold">
            {implied === null ? '–' : estimate(market, implied)}
          </span>
        </span>
      </PageLink>
    </li>
  );
}
