import { ChanceBar } from '#components/market/ChanceBar.tsx';
import { EventCard } from '#components/market/EventCard.tsx';
import { EventTable } from '#components/market/EventTable.tsx';
import { MarketResult } from '#components/market/MarketResult.tsx';
import { PriceChange } from '#components/market/PriceChange.tsx';
import { Sparkline } from '#components/market/Sparkline.tsx';
import { StatusBadge } from '#components/market/StatusBadge.tsx';
import type { EventView, MarketView } from '#lib/market/marketView.ts';
import { type Spark, sparkOf } from '#lib/market/sparkline.ts';

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
    status: 'open',
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

const EVENT: EventView = {
  eventTicker: 'SAMPLE',
  title: 'Who will win the sample?',
  subtitle: 'For display only; not tradable',
  category: 'Samples',
  volumeContractMicros: 3_400_000_000_000n,
  marketCount: 3,
  mutuallyExclusive: true,
  markets: [sample('North', 61n, 4n), sample('South', 30n, -6n), sample('Neither', 9n, 0n)],
};

/** A day whose price wanders between two values. */
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

/** Markets in lists, and their smaller parts. */
export function MarketSamples() {
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
        <MarketResult payoutYesMicros={1_000_000n} />
        <MarketResult payoutYesMicros={0n} />
        <MarketResult payoutYesMicros={400_000n} />
      </div>
      <div className="max-w-md">
        <ChanceBar market={sample('Ruler', 42n, 0n)} />
      </div>
      <div className="max-w-xl">
        <EventCard event={EVENT} renderedAtMs={DRAWN_AT_MS} sparks={SPARKS} />
      </div>
      <EventTable events={[EVENT]} renderedAtMs={DRAWN_AT_MS} sparks={SPARKS} />
    </>
  );
}
