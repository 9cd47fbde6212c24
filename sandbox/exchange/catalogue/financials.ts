import { hash32 } from '../random.ts';
import { above, ranges, scalar, strikesAround, upOrDown, withDecimals } from './builders.ts';
import { dayText, monthText, timeText, yearText } from './calendar.ts';
import type { SeriesTemplate } from './template.ts';

type Instrument = {
  code: string;
  name: string;
  level: number;
  dailyMove: number;
  step: number;
  decimals: number;
  unit?: string;
};

const INDEXES: Instrument[] = [
  { code: 'INX', name: 'S&P 500', level: 6_850, dailyMove: 0.008, step: 25, decimals: 0 },
  { code: 'NDX', name: 'Nasdaq-100', level: 25_400, dailyMove: 0.011, step: 100, decimals: 0 },
  { code: 'DAX', name: 'DAX', level: 24_300, dailyMove: 0.009, step: 100, decimals: 0 },
  { code: 'NKY', name: 'Nikkei 225', level: 49_800, dailyMove: 0.01, step: 250, decimals: 0 },
];

const OTHERS: Instrument[] = [
  {
    code: 'WTI',
    name: 'crude oil (WTI)',
    level: 62,
    dailyMove: 0.016,
    step: 1,
    decimals: 2,
    unit: '$',
  },
  { code: 'GOLD', name: 'gold', level: 4_080, dailyMove: 0.009, step: 40, decimals: 0, unit: '$' },
  {
    code: 'NATGAS',
    name: 'natural gas',
    level: 3.9,
    dailyMove: 0.03,
    step: 0.1,
    decimals: 2,
    unit: '$',
  },
  { code: 'EURUSD', name: 'EUR/USD', level: 1.158, dailyMove: 0.004, step: 0.004, decimals: 4 },
  { code: 'USDJPY', name: 'USD/JPY', level: 153.4, dailyMove: 0.005, step: 0.5, decimals: 2 },
  {
    code: 'TNOTE',
    name: '10-year Treasury yield',
    level: 4.1,
    dailyMove: 0.012,
    step: 0.04,
    decimals: 2,
  },
];

const SOURCE = { name: 'Exchange closing prices', url: 'https://example.org/closing-prices' };
const RULES =
  'The official closing value counts as first published. On a day without trading the last value before it counts.';

function common(item: Instrument) {
  return {
    category: 'Financials',
    tags: [item.name],
    source: SOURCE,
    rulesSecondary: RULES,
  };
}

/** The name at the beginning of a title. */
function subjectOf({ name }: Instrument): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function show(item: Instrument): (value: number) => string {
  const format = withDecimals(item.decimals);
  return (value) => `${item.unit ?? ''}${format(value)}`;
}

const underlyingOf = (seed: number, item: Instrument) => ({
  seed: hash32(seed, 'instrument', item.code),
  level: item.level,
  dailyMove: item.dailyMove,
  relative: true,
});

function dailyRanges(item: Instrument, popularity: number): SeriesTemplate {
  return {
    ...common(item),
    ticker: `KX${item.code}D`,
    title: `${subjectOf(item)} at the close`,
    frequency: 'daily',
    feeType: item.code === 'INX' || item.code === 'NDX' ? 'flat' : 'quadratic',
    cadence: { unit: 'day', every: 1, offsetMs: -3 * 3_600_000 },
    roundsOpen: 3,
    determineAfterMs: 45_000,
    settlementTimerSeconds: 300,
    popularity,
    events: ({ seed, openAt, closeAt, stamp }) => {
      const underlying = underlyingOf(seed, item);
      return [
        ranges({
          suffix: stamp,
          title: `Where will ${item.name} close on ${dayText(closeAt)}?`,
          subTitle: `${dayText(closeAt)}, ${timeText(closeAt)}`,
          underlying,
          show: show(item),
          measure: `the closing value of ${item.name} on ${dayText(closeAt)}`,
          edges: strikesAround(underlying, openAt, item.step, 9),
        }),
      ];
    },
  };
}

function hourly(item: Instrument, popularity: number): SeriesTemplate {
  return {
    ...common(item),
    ticker: `KX${item.code}H`,
    title: `${subjectOf(item)} up or down this hour`,
    frequency: 'hourly',
    cadence: { unit: 'hour', every: 1 },
    roundsOpen: 2,
    determineAfterMs: 15_000,
    settlementTimerSeconds: 30,
    popularity,
    events: ({ seed, openAt, closeAt, stamp }) => [
      upOrDown({
        suffix: stamp,
        title: `${subjectOf(item)} higher at ${timeText(closeAt)}?`,
        subTitle: `${dayText(closeAt)}, ${timeText(closeAt)}`,
        underlying: underlyingOf(seed, item),
        show: show(item),
        measure: `the value of ${item.name} at ${timeText(closeAt)} on ${dayText(closeAt)}`,
        openAt,
      }),
    ],
  };
}

function weekly(item: Instrument, popularity: number): SeriesTemplate {
  return {
    ...common(item),
    ticker: `KX${item.code}W`,
    title: `${subjectOf(item)} at the end of the week`,
    frequency: 'weekly',
    structure: 'center_whole_edge_half_cent',
    cadence: { unit: 'week', every: 1, offsetMs: -51 * 3_600_000 },
    roundsOpen: 2,
    determineAfterMs: 60_000,
    settlementTimerSeconds: 900,
    popularity,
    events: ({ seed, openAt, closeAt, stamp }) => {
      const underlying = underlyingOf(seed, item);
      return [
        above({
          suffix: stamp,
          title: `How high will ${item.name} end the week of ${dayText(closeAt)}?`,
          subTitle: `Week ending ${dayText(closeAt)}`,
          underlying,
          show: show(item),
          measure: `the last value of ${item.name} in the week ending ${dayText(closeAt)}`,
          strikes: strikesAround(underlying, openAt, item.step * 2, 9),
        }),
      ];
    },
  };
}

function yearEnd(item: Instrument, popularity: number): SeriesTemplate {
  return {
    ...common(item),
    ticker: `KX${item.code}Y`,
    title: `${subjectOf(item)} at the end of the year`,
    frequency: 'annual',
    cadence: { unit: 'year', every: 1 },
    roundsOpen: 2,
    determineAfterMs: 60_000,
    settlementTimerSeconds: 3_600,
    popularity,
    events: ({ seed, openAt, closeAt, stamp }) => {
      const underlying = underlyingOf(seed, item);
      return [
        ranges({
          suffix: stamp,
          title: `${subjectOf(item)} at the end of ${yearText(closeAt)}?`,
          subTitle: `Last trading day of ${yearText(closeAt)}`,
          underlying,
          show: show(item),
          measure: `the closing value of ${item.name} on the last trading day of ${yearText(closeAt)}`,
          edges: strikesAround(underlying, openAt, item.step * 12, 9),
        }),
      ];
    },
  };
}

function monthEndValue(item: Instrument, popularity: number): SeriesTemplate {
  return {
    ...common(item),
    ticker: `KX${item.code}S`,
    title: `${subjectOf(item)} month-end value`,
    frequency: 'monthly',
    marketType: 'scalar',
    structure: 'deci_cent',
    cadence: { unit: 'month', every: 1 },
    roundsOpen: 2,
    determineAfterMs: 60_000,
    settlementTimerSeconds: 3_600,
    popularity,
    events: ({ seed, closeAt, stamp }) => [
      scalar({
        suffix: stamp,
        title: `${subjectOf(item)} at the end of ${monthText(closeAt)}`,
        subTitle: monthText(closeAt),
        underlying: underlyingOf(seed, item),
        show: show(item),
        measure: `the last value of ${item.name} in ${monthText(closeAt)}`,
        floor: Number((item.level * (1 - item.dailyMove * 14)).toFixed(item.decimals)),
        cap: Number((item.level * (1 + item.dailyMove * 14)).toFixed(item.decimals)),
      }),
    ],
  };
}

export const financialTemplates: SeriesTemplate[] = [
  ...INDEXES.flatMap((item, rank) => [
    dailyRanges(item, 0.8 - rank * 0.12),
    hourly(item, 0.4 - rank * 0.05),
    weekly(item, 0.45 - rank * 0.08),
    yearEnd(item, 0.88 - rank * 0.12),
  ]),
  ...OTHERS.flatMap((item, rank) => [
    dailyRanges(item, 0.5 - rank * 0.05),
    weekly(item, 0.4 - rank * 0.04),
    monthEndValue(item, 0.3 - rank * 0.02),
  ]),
];
