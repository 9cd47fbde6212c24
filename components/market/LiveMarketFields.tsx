'use client';

import clsx from 'clsx';
import { Until } from '#components/ui/Durations.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { useLiveMarket } from '#lib/browser/market/livePrices.ts';
import { cents, chance } from '#lib/format/money.ts';
import { changePoints, impliedChance, type MarketView } from '#lib/market/marketView.ts';
import { ChanceBar, MarketResult, PriceChange, STATUS_WORDS } from './marketFigures.tsx';

/** The live fields of a list's rows; the server renders the rest. */
type LiveFieldProps = { market: MarketView };

export function LiveChance({ market }: LiveFieldProps) {
  const implied = impliedChance(useLiveMarket(market));
  return implied === null ? <span className="text-ink-3">–</span> : chance(implied);
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
  const { status, closeTime } = useLiveMarket(market);
  return status === 'open' ? (
    <Until at={closeTime} renderedAtMs={renderedAtMs} />
  ) : (
    STATUS_WORDS[status]
  );
}

function MarketPrices({ market }: { market: MarketView }) {
  if (market.status === 'settled') return <MarketResult payoutYesMicros={market.payoutYesMicros} />;
  const href = `/markets/${market.ticker}`;
  return (
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
  );
}

type PriceLinkProps = {
  href: string;
  side: 'yes' | 'no';
  askMicros: bigint | null;
  marketLabel: string;
  className?: string;
};

function PriceLink({ href, side, askMicros, marketLabel, className }: PriceLinkProps) {
  const word = side === 'yes' ? 'Yes' : 'No';
  return (
    <PageLink
      href={href}
      className={clsx(
        'nums inline-flex min-h-11 min-w-[4.625rem] items-center justify-center gap-1.5 rounded-md px-2 font-medium text-14 transition-colors duration-(--quick) md:min-h-9',
        // There are no sellers, or trading has not opened: the link still leads to the ticket,
        // which explains it.
        askMicros === null
          ? 'bg-sunken text-ink-2 hover:text-ink'
          : side === 'yes'
            ? 'bg-yes-soft text-yes hover:bg-yes-solid hover:text-on-solid'
            : 'bg-no-soft text-no hover:bg-no-solid hover:text-on-solid',
        className,
      )}
    >
      <span>
        <span className="sr-only">Buy </span>
        {word}
      </span>
      <span>{askMicros === null ? '–' : cents(askMicros)}</span>
      <span className="sr-only">, {marketLabel}</span>
    </PageLink>
  );
}
