import clsx from 'clsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { Section } from '#components/ui/Section.tsx';
import type { MarketStatus } from '#lib/api/schemas/market.ts';
import { contractsShort, dollarsShort, estimate } from '#lib/format/money.ts';
import { hasBook } from '#lib/market/hasBook.ts';
import {
  changePoints,
  impliedChance,
  type MarketPageView,
  type MarketView,
} from '#lib/market/marketView.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import { OutcomeMark } from './ListingPicture.tsx';
import { MarketResult, outcomeWord } from './MarketResult.tsx';
import { PriceChange } from './PriceChange.tsx';
import { RulesText } from './RulesText.tsx';

export function Rules({ page }: { page: MarketPageView }) {
  return (
    <>
      <RulesText rules={page} />
      <Section id="life-heading" title="Timeline">
        <MarketTimeline page={page} />
      </Section>
      <Section id="facts-heading" title="Details">
        <Figures className="sheet max-w-xl p-4">
          <Figure label="24h volume">
            {contractsShort(page.volume24hContractMicros)} contracts
          </Figure>
          <Figure label="Open interest">
            {contractsShort(page.openInterestContractMicros)} contracts
          </Figure>
          {hasBook(page.market.status) && (
            <Figure label="Liquidity">{dollarsShort(page.liquidityUsdcMicros)}</Figure>
          )}
          <Figure label="Ticker">{page.market.ticker}</Figure>
        </Figures>
      </Section>
    </>
  );
}

const STAGE: Record<MarketStatus, number> = {
  unopened: 0,
  open: 1,
  paused: 1,
  closed: 2,
  settled: 3,
};

/** A scalar result is published with its payout alone. */
function proposedWords(result: string): string {
  if (result === 'yes' || result === 'no') return `Result: ${sideWord(result)}`;
  return 'Result proposed';
}

function MarketTimeline({ page }: { page: MarketPageView }) {
  const { status, openTime, closeTime, expectedEndTime, proposedResult } = page.market;
  const reached = STAGE[status];
  const steps: { name: string; at: string | null; latest?: string }[] = [
    { name: reached === 0 ? 'Opens' : 'Opened', at: openTime },
    reached < 2 && expectedEndTime !== closeTime
      ? { name: 'Trading ends, expected', at: expectedEndTime, latest: closeTime }
      : { name: reached < 2 ? 'Trading ends' : 'Trading ended', at: closeTime },
    reached === 3
      ? { name: `Resolved: ${outcomeWord(page.market)}`, at: page.settledTime }
      : proposedResult
        ? { name: `${proposedWords(proposedResult)}, can be disputed`, at: page.expirationTime }
        : { name: 'Expected resolution', at: page.expirationTime },
    { name: reached < 3 ? 'Pays out' : 'Paid out', at: page.settledTime },
  ];
  return (
    <ol className="grid gap-x-2 gap-y-4 sm:grid-cols-4" aria-label="Market timeline">
      {steps.map((step, index) => (
        <li
          key={step.name}
          className={clsx(
            'border-t-2 pt-2 text-14',
            index < reached || (index === 3 && reached === 3) ? 'border-ink' : 'border-line',
          )}
        >
          <p className={index <= reached ? 'font-medium' : 'text-ink-2'}>{step.name}</p>
          <p className="text-13 text-ink-3">
            {step.at ? <LocalTime at={step.at} /> : 'Within minutes of the result'}
          </p>
          {step.latest && (
            <p className="text-13 text-ink-3">
              <LocalTime at={step.latest} /> at the latest
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

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
        {markets.map((market) => (
          <li key={market.ticker}>
            <PageLink
              href={`/markets/${market.ticker}`}
              className="flex min-h-11 items-center gap-3 px-4 py-2 text-14 hover:bg-sunken"
            >
              <OutcomeMark {...market} />
              <span className="wrap-anywhere min-w-0 flex-1">{market.label}</span>
              <RelatedOutcome market={market} />
            </PageLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RelatedOutcome({ market }: { market: MarketView }) {
  if (market.status === 'settled') return <MarketResult market={market} />;
  const implied = impliedChance(market);
  return (
    <>
      <PriceChange points={changePoints(market) || null} className="text-13" />
      <span className="nums min-w-12 text-right font-semibold">
        {implied === null ? '–' : estimate(market, implied)}
      </span>
    </>
  );
}
