import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { ChanceBar } from '#components/market/ChanceBar.tsx';
import { EventCard } from '#components/market/EventGrid.tsx';
import { EventTable } from '#components/market/EventTable.tsx';
import { MarketResult } from '#components/market/MarketResult.tsx';
import { PriceChange } from '#components/market/PriceChange.tsx';
import { Sparkline } from '#components/market/Sparkline.tsx';
import { StatusBadge } from '#components/market/StatusBadge.tsx';
import { ControlSamples } from '#components/samples/ControlSamples.tsx';
import { PageHead } from '#components/ui/PageHead.tsx';
import type { ListedEvent, MarketView } from '#lib/market/marketView.ts';
import { type Spark, sparkOf } from '#lib/market/sparkline.ts';

export const metadata: Metadata = { title: 'Components', robots: { index: false, follow: false } };

export default function ComponentsPage() {
  return (
    <>
      <PageHead title="Components">
        Paper and ink. Hairlines replace boxes, teal means Yes and rust means No, and numbers align
        in columns. One file of tokens defines all of it.
      </PageHead>
      <div className="grid gap-12">
        <Part title="Tokens">
          <TokenSamples />
        </Part>
        <Part title="Controls">
          <ControlSamples />
        </Part>
        <Part title="Markets">
          <MarketSamples />
        </Part>
      </div>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <h2 className="border-b pb-2 font-semibold text-19">{title}</h2>
      {children}
    </section>
  );
}

const COLOURS = [
  ['paper', 'surface', 'sunken', 'line', 'line-strong'],
  ['ink', 'ink-2', 'ink-3', 'on-ink'],
  ['yes', 'yes-solid', 'yes-soft', 'no', 'no-solid', 'no-soft'],
  ['accent', 'accent-soft', 'caution', 'caution-soft'],
  ['line-a', 'line-b', 'line-c'],
];

const TYPE = [
  { size: 32, weight: 600, use: 'A market’s question' },
  { size: 26, weight: 600, use: 'A page’s title' },
  { size: 17, weight: 600, use: 'A section, a card' },
  { size: 15, weight: 400, use: 'Text' },
  { size: 13, weight: 400, use: 'Secondary text' },
];

function TokenSamples() {
  return (
    <>
      <div className="grid gap-3">
        {COLOURS.map((row) => (
          <ul key={row[0]} className="flex flex-wrap gap-3">
            {row.map((name) => (
              <li key={name} className="w-28 text-13 text-ink-2">
                <span
                  aria-hidden
                  className="mb-1 block h-12 rounded-md border border-line"
                  style={{ background: `var(--${name})` }}
                />
                {name}
              </li>
            ))}
          </ul>
        ))}
      </div>
      <ul className="grid gap-2">
        {TYPE.map(({ size, weight, use }) => (
          <li key={size} style={{ fontSize: `${size / 16}rem`, fontWeight: weight }}>
            {use}{' '}
            <span className="nums font-normal text-13 text-ink-3">{size} px · 0123456789</span>
          </li>
        ))}
      </ul>
    </>
  );
}

const CENT = 10_000n;
const OPEN = '2025-01-01T00:00:00.000Z';
const CLOSE = '2030-12-31T00:00:00.000Z';
/** Samples are static: they are drawn as of some days before their close. */
const DRAWN_AT_MS = Date.parse('2030-12-24T12:00:00.000Z');

function sample(label: string, cents: bigint, moved: bigint): MarketView {
  return {
    ticker: `SAMPLE-${label.toUpperCase()}`,
    eventTicker: 'SAMPLE',
    title: 'Who will win the sample?',
    label,
    strikeGroup: null,
    status: 'open',
    shard: 0,
    isScalar: false,
    openTime: OPEN,
    closeTime: CLOSE,
    expectedEndTime: CLOSE,
    proposedResult: null,
    yesBidMicros: (cents - 1n) * CENT,
    yesAskMicros: (cents + 1n) * CENT,
    noBidMicros: (99n - cents) * CENT,
    noAskMicros: (101n - cents) * CENT,
    lastPriceMicros: cents * CENT,
    previousPriceMicros: (cents - moved) * CENT,
    volumeContractMicros: 1_250_000_000_000n,
    payoutYesMicros: null,
  };
}

const EVENT: ListedEvent = {
  eventTicker: 'SAMPLE',
  title: 'Who will win the sample?',
  subtitle: 'For display only; not tradable',
  category: 'Samples',
  volumeContractMicros: 3_400_000_000_000n,
  marketCount: 3,
  mutuallyExclusive: true,
  seriesTicker: 'SAMPLE',
  seriesTitle: 'Sample',
  moreInSeries: 0,
  volume24hContractMicros: 1_200_000_000n,
  liquidityUsdcMicros: 800_000_000n,
  newestOpenTime: undefined,
  isUnderWay: false,
  markets: [sample('North', 61n, 4n), sample('South', 30n, -6n), sample('Neither', 9n, 0n)],
};

function sampleDay(fromCents: bigint, toCents: bigint): Spark | undefined {
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const way = ((toCents - fromCents) * BigInt(hour)) / 24n;
    const lastPriceMicros = (fromCents + way + BigInt((hour * 7) % 5) - 2n) * CENT;
    return { yesBidMicros: null, yesAskMicros: null, lastPriceMicros };
  });
  return sparkOf(hours, toCents * CENT);
}

const SPARKS = new Map(
  [
    { ticker: 'SAMPLE-NORTH', spark: sampleDay(57n, 61n) },
    { ticker: 'SAMPLE-SOUTH', spark: sampleDay(46n, 30n) },
  ].flatMap(({ ticker, spark }) => (spark ? [[ticker, spark] as const] : [])),
);

const STATUSES = ['unopened', 'open', 'paused', 'closed', 'settled'] as const;

function MarketSamples() {
  return (
    <>
      <div className="flex flex-wrap gap-5">
        {STATUSES.map((status) => (
          <StatusBadge key={status} status={status} />
        ))}
        <PriceChange points={5} />
        <PriceChange points={-3} />
        <PriceChange points={0} />
        <Sparkline spark={sampleDay(40n, 72n)} />
        {[1_000_000n, 0n, 400_000n].map((payoutYesMicros) => (
          <MarketResult
            key={`${payoutYesMicros}`}
            market={{ ...sample('Result', 42n, 0n), payoutYesMicros }}
          />
        ))}
      </div>
      <div className="max-w-md">
        <ChanceBar market={sample('Ruler', 42n, 0n)} />
      </div>
      <div className="max-w-xl">
        <EventCard event={EVENT} renderedAtMs={DRAWN_AT_MS} sparks={SPARKS} />
      </div>
      <EventTable
        events={[EVENT]}
        sort="movers"
        seriesHref={() => '/'}
        renderedAtMs={DRAWN_AT_MS}
        sparks={SPARKS}
      />
    </>
  );
}
