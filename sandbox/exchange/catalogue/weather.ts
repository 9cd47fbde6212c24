import { hash32 } from '../random.ts';
import { above, question, ranges, strikesAround } from './builders.ts';
import { dayText, monthText, yearText } from './calendar.ts';
import type { SeriesTemplate } from './template.ts';

type City = { code: string; name: string; mean: number; season: number; wet: number };

const CITIES: City[] = [
  { code: 'NYC', name: 'New York City', mean: 55, season: 22, wet: 0.33 },
  { code: 'CHI', name: 'Chicago', mean: 51, season: 24, wet: 0.32 },
  { code: 'MIA', name: 'Miami', mean: 78, season: 8, wet: 0.37 },
  { code: 'AUS', name: 'Austin', mean: 70, season: 17, wet: 0.2 },
  { code: 'LAX', name: 'Los Angeles', mean: 66, season: 7, wet: 0.1 },
  { code: 'DEN', name: 'Denver', mean: 52, season: 22, wet: 0.22 },
  { code: 'PHIL', name: 'Philadelphia', mean: 56, season: 22, wet: 0.32 },
  { code: 'SEA', name: 'Seattle', mean: 54, season: 13, wet: 0.5 },
  { code: 'LON', name: 'London', mean: 53, season: 12, wet: 0.45 },
  { code: 'PAR', name: 'Paris', mean: 55, season: 14, wet: 0.42 },
  { code: 'BER', name: 'Berlin', mean: 51, season: 18, wet: 0.4 },
  { code: 'TYO', name: 'Tokyo', mean: 62, season: 18, wet: 0.3 },
  { code: 'SYD', name: 'Sydney', mean: 66, season: -9, wet: 0.32 },
  { code: 'TOR', name: 'Toronto', mean: 49, season: 23, wet: 0.36 },
];

const SOURCE = { name: 'Daily climate report', url: 'https://example.org/climate-reports' };
const RULES =
  'The figure of the daily climate report of the city’s main station counts as first published. If the report is missing, the highest hourly observation counts.';

/** Warmest around 20 July in the north; the sign of `season` turns it round in the south. */
function normalHigh(city: City, at: number): number {
  const dayOfYear = (at % (365.25 * 86_400_000)) / 86_400_000;
  return city.mean + city.season * Math.cos(((dayOfYear - 200) / 365.25) * 2 * Math.PI);
}

const highOf = (seed: number, city: City, closeAt: number) => ({
  seed: hash32(seed, 'high', city.code, Math.floor(closeAt / 86_400_000)),
  level: normalHigh(city, closeAt),
  dailyMove: 2.2,
  relative: false,
});

export const weatherTemplates: SeriesTemplate[] = [
  ...CITIES.map(
    (city, rank): SeriesTemplate => ({
      ticker: `KXHIGH${city.code}`,
      title: `Highest temperature in ${city.name}`,
      category: 'Climate and Weather',
      tags: ['Daily temperature', city.name],
      frequency: 'daily',
      source: SOURCE,
      cadence: { unit: 'day', every: 1, offsetMs: rank < 8 ? 5 * 3_600_000 : 0 },
      roundsOpen: 2,
      determineAfterMs: 300_000,
      settlementTimerSeconds: 900,
      popularity: 0.7 - rank * 0.035,
      rulesSecondary: RULES,
      events: ({ seed, openAt, closeAt, stamp }) => {
        const underlying = highOf(seed, city, closeAt);
        return [
          ranges({
            suffix: stamp,
            title: `Highest temperature in ${city.name} on ${dayText(closeAt - 18_000_001)}?`,
            subTitle: dayText(closeAt - 18_000_001),
            underlying,
            show: (value) => `${value.toFixed(0)}°F`,
            measure: `the highest temperature in ${city.name} on ${dayText(closeAt - 18_000_001)}`,
            edges: strikesAround(underlying, openAt, 2, 5).map(Math.round),
          }),
        ];
      },
    }),
  ),
  ...CITIES.slice(0, 9).map(
    (city, rank): SeriesTemplate => ({
      ticker: `KXRAIN${city.code}`,
      title: `Rain in ${city.name}`,
      category: 'Climate and Weather',
      tags: ['Rain', city.name],
      frequency: 'daily',
      source: SOURCE,
      cadence: { unit: 'day', every: 1 },
      roundsOpen: 3,
      determineAfterMs: 300_000,
      settlementTimerSeconds: 900,
      popularity: 0.3 - rank * 0.02,
      rulesSecondary: 'A trace does not count as rain; 0.01 inch or more does.',
      events: ({ seed, closeAt, stamp }) => [
        question(seed, `rain${city.code}`, {
          suffix: stamp,
          title: `Rain in ${city.name} on ${dayText(closeAt - 1)}?`,
          rules: `If at least 0.01 inch of rain is measured in ${city.name} on ${dayText(closeAt - 1)}, the market resolves to Yes.`,
          chance: city.wet,
          swing: 0.9,
        }),
      ],
    }),
  ),
  {
    ticker: 'KXHURYEAR',
    title: 'Atlantic hurricanes in a season',
    category: 'Climate and Weather',
    tags: ['Hurricanes'],
    frequency: 'annual',
    source: { name: 'Hurricane centre', url: 'https://example.org/hurricanes' },
    cadence: { unit: 'year', every: 1 },
    roundsOpen: 2,
    determineAfterMs: 120_000,
    settlementTimerSeconds: 3_600,
    popularity: 0.55,
    rulesSecondary: 'Storms count once, in the year in which they first reach hurricane strength.',
    events: ({ seed, closeAt, stamp }) => [
      above({
        suffix: stamp,
        title: `How many Atlantic hurricanes in ${yearText(closeAt)}?`,
        subTitle: yearText(closeAt),
        underlying: {
          seed: hash32(seed, 'hurricanes', stamp),
          level: 7.4,
          dailyMove: 0.13,
          relative: false,
        },
        show: (value) => value.toFixed(0),
        measure: `the number of Atlantic hurricanes in ${yearText(closeAt)}`,
        strikes: [4, 5, 6, 7, 8, 9, 10, 11],
      }),
    ],
  },
  {
    ticker: 'KXGTEMP',
    title: 'Global temperature of the month',
    category: 'Climate and Weather',
    tags: ['Climate'],
    frequency: 'monthly',
    structure: 'center_half_edge_deci_cent',
    source: { name: 'Reanalysis service', url: 'https://example.org/reanalysis' },
    cadence: { unit: 'month', every: 1 },
    roundsOpen: 3,
    determineAfterMs: 120_000,
    settlementTimerSeconds: 3_600,
    popularity: 0.5,
    rulesSecondary: 'The anomaly against 1991 to 2020 counts, to two decimals, as first published.',
    events: ({ seed, closeAt, stamp }) => [
      ranges({
        suffix: stamp,
        title: `How warm will the world be in ${monthText(closeAt)}?`,
        subTitle: `${monthText(closeAt)}, above the 1991 to 2020 average`,
        underlying: { seed: hash32(seed, 'gtemp'), level: 0.62, dailyMove: 0.011, relative: false },
        show: (value) => `+${value.toFixed(2)}°C`,
        measure: `the global temperature anomaly of ${monthText(closeAt)}`,
        edges: [0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75],
      }),
    ],
  },
];
