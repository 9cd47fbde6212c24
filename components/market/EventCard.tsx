import Link from 'next/link';
import { Until } from '#components/ui/Times.tsx';
import { chance, contractsShort } from '#lib/format/money.ts';
import {
  changePoints,
  type EventView,
  impliedChance,
  type MarketView,
  telling,
} from '#lib/market/marketView.ts';
import { ChanceRule } from './ChanceRule.tsx';
import { ChangeMark } from './ChangeMark.tsx';
import { MarketResult } from './MarketResult.tsx';
import { PriceLink } from './PriceLink.tsx';
import { StatusBadge } from './StatusBadge.tsx';
import { WatchStar } from './WatchStar.tsx';

/** Outcomes on one card. */
export const SHOWN_MARKETS = 3;

type EventCardProps = { event: EventView; renderedAtMs: number };

/** An event with its leading outcomes: what is asked, how likely each is, what it costs. */
export function EventCard({ event, renderedAtMs }: EventCardProps) {
  const shown = telling(event, SHOWN_MARKETS);
  const more = event.marketCount - shown.length;
  const first = event.markets[0];
  const single = event.marketCount === 1 && first !== undefined;
  const href = single ? `/markets/${first.ticker}` : `/events/${event.eventTicker}`;
  return (
    <article className="sheet flex flex-col">
      <header className="px-4 pt-3 pb-3 md:px-5">
        <div className="flex min-h-8 items-center gap-2 text-[13px] text-ink-3">
          <span className="mr-auto">{event.category}</span>
          {first && <CardClock market={first} renderedAtMs={renderedAtMs} />}
          <WatchStar
            eventTicker={event.eventTicker}
            title={event.title}
            className="-mr-3 -my-1.5 md:-mr-2"
          />
        </div>
        <h2 className="text-balance font-semibold text-[17px] leading-snug tracking-[-0.005em]">
          <Link href={href} className="hover:underline hover:underline-offset-4">
            {event.title}
          </Link>
        </h2>
        {event.subtitle && <p className="mt-0.5 text-[13px] text-ink-3">{event.subtitle}</p>}
      </header>
      <ul className="flex-1">
        {shown.map((market) => (
          <MarketRow key={market.ticker} market={market} single={single} />
        ))}
      </ul>
      <footer className="flex items-center justify-between border-t px-4 py-2.5 text-[13px] text-ink-3 md:px-5">
        <span className="nums">{contractsShort(event.volumeContractMicros)} contracts traded</span>
        {more > 0 && (
          <Link href={href} className="py-1 font-medium text-ink-2 hover:text-ink">
            {more} more {more === 1 ? 'outcome' : 'outcomes'}
          </Link>
        )}
      </footer>
    </article>
  );
}

function CardClock({ market, renderedAtMs }: { market: MarketView; renderedAtMs: number }) {
  if (market.status !== 'open') return <StatusBadge status={market.status} />;
  return (
    <span>
      Closes in <Until at={market.closeTime} renderedAtMs={renderedAtMs} />
    </span>
  );
}

function MarketRow({ market, single }: { market: MarketView; single: boolean }) {
  const implied = impliedChance(market);
  const href = `/markets/${market.ticker}`;
  return (
    <li className="outcome-row border-t px-4 py-3 md:px-5">
      <div className="flex min-w-0 items-baseline gap-2 [grid-area:label]">
        <Link
          href={href}
          className="block min-w-0 truncate text-[14px] hover:underline hover:underline-offset-4"
        >
          {single && market.label === market.title ? 'Chance of Yes' : market.label}
        </Link>
        {market.status === 'open' && (
          <ChangeMark points={changePoints(market) || null} className="text-[12px]" />
        )}
      </div>
      <div className="[grid-area:rule]">
        <ChanceRule market={market} />
      </div>
      <div className="nums text-right font-semibold text-[18px] [grid-area:chance]">
        {implied === null ? <span className="text-ink-3">–</span> : chance(implied)}
      </div>
      <div className="flex gap-1.5 [grid-area:prices]">
        {market.status === 'settled' ? (
          <MarketResult payoutYesMicros={market.payoutYesMicros} />
        ) : (
          <>
            <PriceLink
              href={`${href}?side=yes`}
              side="yes"
              askMicros={market.yesAskMicros}
              marketLabel={market.label}
            />
            <PriceLink
              href={`${href}?side=no`}
              side="no"
              askMicros={market.noAskMicros}
              marketLabel={market.label}
            />
          </>
        )}
      </div>
    </li>
  );
}
