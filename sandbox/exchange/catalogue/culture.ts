import { hash32, unit } from '../random.ts';
import { above, type Choice, oneOf, question, ranges } from './builders.ts';
import { monthText, yearText } from './calendar.ts';
import type { SeriesTemplate } from './template.ts';

const DAY_MS = 86_400_000;

const FILMS = [
  'The Long Meridian',
  'Salt and Iron',
  'A Quiet Orchard',
  'Paper Lanterns',
  'The Cartographer’s Daughter',
  'Nine Winters',
  'Low Tide',
  'The Glass Parliament',
];
const ARTISTS = [
  'Mara Voss',
  'The Velvet Harbors',
  'Juno Reyes',
  'Night Ferry',
  'Oskar Lind',
  'Sable',
];
const SHOWS = [
  'Copper County',
  'The Understudy',
  'Tidewater',
  'Second Shift',
  'Northern Lines',
  'Halcyon',
];

const base = {
  category: 'Entertainment',
  source: { name: 'Award and chart announcements', url: 'https://example.org/entertainment' },
  determineAfterMs: 90_000,
  settlementTimerSeconds: 1_800,
  rulesSecondary: 'The announcement of the awarding or publishing body counts, as first made.',
};

export const cultureTemplates: SeriesTemplate[] = [
  {
    ...base,
    ticker: 'KXBESTPICTURE',
    title: 'Best picture',
    tags: ['Awards', 'Film'],
    frequency: 'annual',
    structure: 'tapered_deci_cent',
    cadence: { unit: 'year', every: 1, offsetMs: 70 * DAY_MS },
    roundsOpen: 1,
    popularity: 0.86,
    events: ({ seed, closeAt, stamp }) => [
      oneOf(seed, 'picture', {
        suffix: stamp,
        title: `Which film wins best picture in ${yearText(closeAt)}?`,
        subTitle: `Academy of Screen Arts, ${yearText(closeAt)}`,
        choices: named(seed, FILMS),
        rules: (name) =>
          `If "${name}" wins best picture of ${yearText(closeAt)}, the market resolves to Yes.`,
      }),
    ],
  },
  {
    ...base,
    ticker: 'KXNUMBERONE',
    title: 'Number one of the album chart',
    tags: ['Music', 'Charts'],
    frequency: 'weekly',
    cadence: { unit: 'week', every: 1 },
    roundsOpen: 2,
    popularity: 0.5,
    events: ({ seed, stamp }) => [
      oneOf(seed, 'albums', {
        suffix: stamp,
        title: 'Whose album is number one this week?',
        choices: named(hash32(seed, stamp), ARTISTS),
        rules: (name) =>
          `If an album by ${name} tops the weekly chart, the market resolves to Yes.`,
      }),
    ],
  },
  {
    ...base,
    ticker: 'KXTOPSHOW',
    title: 'Most watched series',
    tags: ['Television'],
    frequency: 'weekly',
    cadence: { unit: 'week', every: 1 },
    roundsOpen: 2,
    popularity: 0.42,
    events: ({ seed, stamp }) => [
      oneOf(seed, 'shows', {
        suffix: stamp,
        title: 'Most watched series of the week?',
        choices: named(hash32(seed, stamp, 'tv'), SHOWS),
        rules: (name) =>
          `If "${name}" is the most watched series of the week, the market resolves to Yes.`,
      }),
    ],
  },
  {
    ...base,
    ticker: 'KXBOXOFFICE',
    title: 'Opening weekend',
    tags: ['Film', 'Box office'],
    frequency: 'weekly',
    cadence: { unit: 'week', every: 1 },
    roundsOpen: 3,
    popularity: 0.48,
    events: ({ seed, closeAt, stamp }) => {
      const film = FILMS[hash32(seed, stamp) % FILMS.length] ?? 'Low Tide';
      const level = 25 + Math.round(unit(seed, stamp, 'box') * 70);
      return [
        above({
          suffix: stamp,
          title: `"${film}" opening weekend?`,
          subTitle: `Weekend ending ${new Date(closeAt - 1).toISOString().slice(0, 10)}`,
          underlying: {
            seed: hash32(seed, 'box', stamp),
            level,
            dailyMove: level * 0.04,
            relative: false,
          },
          show: (value) => `$${value.toFixed(0)}M`,
          measure: `the US opening weekend of "${film}"`,
          strikes: [-15, -10, -5, 0, 5, 10, 15].map((step) => level + step),
        }),
      ];
    },
  },
  {
    ...base,
    ticker: 'KXCRITICS',
    title: 'Critics’ score',
    tags: ['Film', 'Reviews'],
    frequency: 'monthly',
    structure: 'center_half_edge_half_cent',
    cadence: { unit: 'month', every: 1, offsetMs: -9 * DAY_MS },
    roundsOpen: 3,
    popularity: 0.38,
    events: ({ seed, closeAt, stamp }) => {
      const film = FILMS[hash32(seed, stamp, 'critics') % FILMS.length] ?? 'Low Tide';
      return [
        ranges({
          suffix: stamp,
          title: `Critics’ score of "${film}"?`,
          subTitle: monthText(closeAt),
          underlying: {
            seed: hash32(seed, 'critics', stamp),
            level: 74,
            dailyMove: 1.7,
            relative: false,
          },
          show: (value) => `${value.toFixed(0)}%`,
          measure: `the share of positive reviews of "${film}" at the close`,
          edges: [50, 60, 70, 75, 80, 85, 90, 95],
        }),
      ];
    },
  },
  {
    ...base,
    ticker: 'KXTOUR',
    title: 'Tour announcements',
    tags: ['Music'],
    frequency: 'annual',
    cadence: { unit: 'year', every: 1 },
    roundsOpen: 2,
    popularity: 0.33,
    events: ({ seed, closeAt, stamp }) =>
      ARTISTS.map((artist, rank) =>
        question(seed, `tour${artist}`, {
          suffix: `${stamp}${initials(artist)}`,
          title: `Will ${artist} announce a world tour in ${yearText(closeAt)}?`,
          rules: `If ${artist} announces concerts on at least three continents during ${yearText(closeAt)}, the market resolves to Yes.`,
          chance: 0.25 + rank * 0.09,
        }),
      ),
  },
];

function named(seed: number, names: string[]): Choice[] {
  return names.map((name, index) => ({
    code: initials(name),
    name,
    weight: 0.3 + 3 * unit(seed, name, index) ** 2,
  }));
}

function initials(name: string): string {
  const letters = name
    .toUpperCase()
    .replace(/[^A-Z ]/g, '')
    .split(' ')
    .map((word) => word.slice(0, 3))
    .join('');
  return letters.slice(0, 8);
}
