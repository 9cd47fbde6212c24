import { createEvent, type ExchangeEvent } from '../market.ts';
import { pick, unit } from '../random.ts';
import { oneOf } from './builders.ts';
import { closeOf, dayText, periodAt, stampOf } from './calendar.ts';
import type { EventSpec, SeriesTemplate } from './template.ts';

/**
 * Any number of plain markets for benchmarks: in groups of twenty, quoted but rarely traded. Each
 * is generated from its number on request; lists cache the first ones they return, so that a
 * million take no more memory than a hundred thousand.
 */
export type Benchmark = {
  readonly marketCount: number;
  readonly eventCount: number;
  readonly seriesCount: number;
  seriesAt(index: number): SeriesTemplate;
  eventAt(index: number, now: number): ExchangeEvent;
  /** Read-only: the next caller may receive the same object. */
  listedAt(index: number, now: number): Readonly<ExchangeEvent>;
  /** The position of an event, or of a market's event; undefined for tickers of other listings. */
  indexOf(ticker: string, now: number): number | undefined;
  seriesIndexOf(ticker: string): number | undefined;
};

export const MARKETS_AN_EVENT = 20;
export const EVENTS_A_SERIES = 100;
/** Some 300 MB with the texts of their markets. */
const MAX_STORED_EVENTS = 5_000;
const TICKER = /^KXBENCH(\d+)-([0-9A-Z]+)E(\d+)(?:-C(\d+))?$/;

const FIRST =
  'Al Bar Cor Dun El Fair Gran Hol Is Jun Kel Lan Mar Nor Os Pel Quin Ros Sal Tor Ul Val Wes Yor'.split(
    ' ',
  );
const SECOND = 'a ber da en fi go la mi na ora ri sa ta una vi wen den gar lin mon'.split(' ');
const LAST =
  'bay bridge burg dale field ford haven ley mere mouth port shire stad ton vale wick'.split(' ');
const THINGS =
  'turnout rainfall traffic harvest ridership output demand attendance snowfall exports imports arrivals shipments sunshine hiring rents wages permits tourism fishing timber milk wheat copper recycling bookings visitors deliveries enrollment donations premiums sightings'.split(
    ' ',
  );
const KINDS =
  'ferry museum orchard stadium harbor library airport festival railway vineyard reservoir market theater college clinic factory'.split(
    ' ',
  );

export function createBenchmark(marketCount: number, seed: number): Benchmark {
  const eventCount = Math.ceil(marketCount / MARKETS_AN_EVENT);
  const seriesCount = Math.ceil(eventCount / EVENTS_A_SERIES);
  const seriesAt = (index: number) => seriesTemplate(index);
  const stampAt = (now: number) => {
    const { cadence } = seriesTemplate(0);
    return stampOf(cadence, closeOf(cadence, periodAt(cadence, now)));
  };
  const eventAt = (index: number, now: number) => {
    const template = seriesAt(Math.floor(index / EVENTS_A_SERIES));
    const { cadence } = template;
    const period = periodAt(cadence, now);
    const life = { openAt: closeOf(cadence, period - 1), closeAt: closeOf(cadence, period) };
    const spec = eventSpec(seed, index, stampOf(cadence, life.closeAt), dayText(life.closeAt));
    const ticker = `${template.ticker}-${spec.suffix}`;
    return createEvent({ ticker, template, spec, life, createdAt: life.openAt });
  };
  const kept = new Map<number, ExchangeEvent>();
  return {
    marketCount,
    eventCount,
    seriesCount,
    seriesAt,
    eventAt,
    listedAt(index, now) {
      const known = kept.get(index);
      if (known && isRoundOf(known, now)) return known;
      const made = eventAt(index, now);
      if (known || kept.size < MAX_STORED_EVENTS) kept.set(index, made);
      return made;
    },
    indexOf(ticker, now) {
      const [, series, stamp, event, choice = '0'] = TICKER.exec(ticker) ?? [];
      if (event === undefined || stamp !== stampAt(now)) return undefined;
      const index = Number(event);
      const isListed =
        index < eventCount &&
        Math.floor(index / EVENTS_A_SERIES) === Number(series) &&
        Number(choice) < MARKETS_AN_EVENT;
      return isListed ? index : undefined;
    },
    seriesIndexOf(ticker) {
      const [, series] = /^KXBENCH(\d+)$/.exec(ticker) ?? [];
      return series !== undefined && Number(series) < seriesCount ? Number(series) : undefined;
    },
  };
}

/** Whether an event belongs to the current round at a moment. */
function isRoundOf({ template: { cadence }, life }: ExchangeEvent, now: number): boolean {
  return life.closeAt === closeOf(cadence, periodAt(cadence, now));
}

function placeName(index: number, salt: string): string {
  const middle = unit(salt, index, 'm') < 0.5 ? pick(SECOND, salt, index, 2) : '';
  return `${pick(FIRST, salt, index, 1)}${middle}${pick(LAST, salt, index, 3)}`;
}

function seriesTemplate(index: number): SeriesTemplate {
  return {
    ticker: `KXBENCH${index}`,
    title: `Measures of ${placeName(index, 'county')} county`,
    category: 'World',
    tags: ['Benchmark'],
    frequency: 'daily',
    source: { name: 'Benchmark', url: 'https://example.org/benchmark' },
    cadence: { unit: 'day', every: 2 },
    roundsOpen: 1,
    determineAfterMs: 60_000,
    settlementTimerSeconds: 600,
    popularity: 0.2,
    rulesSecondary: 'Listed to measure with.',
    events: () => [],
  };
}

function eventSpec(seed: number, index: number, stamp: string, day: string): EventSpec {
  const place = placeName(index, 'town');
  const what = `${pick(KINDS, index, 'kind')} ${pick(THINGS, index, 'thing')}`;
  return oneOf(seed, 'benchmark', {
    suffix: `${stamp}E${index}`,
    title: `Which range for ${what} in ${place} by ${day}?`,
    choices: Array.from({ length: MARKETS_AN_EVENT }, (_, choice) => ({
      code: `C${choice}`,
      name: `${choice * 5} to ${choice * 5 + 5} percent`,
      weight: 0.2 + unit(seed, index, choice),
    })),
    rules: (name) => `If ${what} in ${place} falls in "${name}", the market resolves to Yes.`,
  });
}
