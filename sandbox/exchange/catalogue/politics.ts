import { hash32 } from '../random.ts';
import { above, oneOf, question } from './builders.ts';
import { monthText, yearText } from './calendar.ts';
import type { SeriesTemplate } from './template.ts';

const SOURCE = { name: 'Election authorities', url: 'https://example.org/election-results' };
const DAY_MS = 86_400_000;
const RULES =
  'The certified result counts. If certification is contested the market stays open until the contest is decided.';

const base = {
  category: 'Politics',
  source: SOURCE,
  determineAfterMs: 120_000,
  settlementTimerSeconds: 3_600,
  rulesSecondary: RULES,
};

const COUNTRIES = [
  { code: 'FR', name: 'France' },
  { code: 'DE', name: 'Germany' },
  { code: 'UK', name: 'the United Kingdom' },
  { code: 'CA', name: 'Canada' },
  { code: 'JP', name: 'Japan' },
  { code: 'BR', name: 'Brazil' },
  { code: 'IT', name: 'Italy' },
  { code: 'ES', name: 'Spain' },
];

export const politicsTemplates: SeriesTemplate[] = [
  {
    ...base,
    ticker: 'KXPRESPARTY',
    title: 'Party of the next US president',
    tags: ['US elections'],
    frequency: 'custom',
    cadence: { unit: 'year', every: 4, offsetMs: 20 * DAY_MS },
    roundsOpen: 1,
    popularity: 1,
    events: ({ seed, closeAt, stamp }) => [
      oneOf(seed, 'presidency', {
        suffix: stamp,
        title: 'Which party wins the next US presidential election?',
        subTitle: `In office from ${yearText(closeAt)}`,
        choices: [
          { code: 'D', name: 'Democratic', weight: 54 },
          { code: 'R', name: 'Republican', weight: 43 },
          { code: 'O', name: 'Another party', weight: 2 },
        ],
        marketTitle: (name) => `${name} president next?`,
        rules: (name) =>
          `If the person inaugurated as US president in January ${yearText(closeAt)} stood for "${name}", the market resolves to Yes.`,
        swing: 0.3,
      }),
    ],
  },
  {
    ...base,
    ticker: 'KXHOUSE',
    title: 'Control of the US House',
    tags: ['US elections', 'Congress'],
    frequency: 'custom',
    cadence: { unit: 'year', every: 2, offsetMs: 3 * DAY_MS },
    roundsOpen: 1,
    popularity: 0.93,
    events: ({ seed, closeAt, stamp }) => [
      oneOf(seed, 'house', {
        suffix: stamp,
        title: 'Which party will hold the US House after the next election?',
        subTitle: `Congress meeting in January ${yearText(closeAt)}`,
        choices: [
          { code: 'D', name: 'Democratic', weight: 58 },
          { code: 'R', name: 'Republican', weight: 42 },
        ],
        rules: (name) =>
          `If the speaker elected in January ${yearText(closeAt)} belongs to the ${name} party, the market resolves to Yes.`,
        swing: 0.3,
      }),
    ],
  },
  {
    ...base,
    ticker: 'KXSENATE',
    title: 'Seats in the US Senate',
    tags: ['US elections', 'Congress'],
    frequency: 'custom',
    cadence: { unit: 'year', every: 2, offsetMs: 3 * DAY_MS },
    roundsOpen: 1,
    popularity: 0.7,
    events: ({ seed, closeAt, stamp }) => [
      above({
        suffix: stamp,
        title: 'How many Senate seats will Republicans hold?',
        subTitle: `In January ${yearText(closeAt)}`,
        underlying: { seed: hash32(seed, 'senate'), level: 50.6, dailyMove: 0.06, relative: false },
        show: (value) => `${Math.floor(value)} seats`,
        measure: `the number of Republican senators sworn in by the end of January ${yearText(closeAt)}`,
        strikes: [46.5, 47.5, 48.5, 49.5, 50.5, 51.5, 52.5, 53.5],
      }),
    ],
  },
  {
    ...base,
    ticker: 'KXAPPROVE',
    title: 'Approval of the US president',
    tags: ['Polls'],
    frequency: 'weekly',
    cadence: { unit: 'week', every: 1 },
    roundsOpen: 3,
    popularity: 0.72,
    rulesSecondary: 'The average of all qualifying polls of the week counts, to one decimal.',
    events: ({ seed, closeAt, stamp }) => [
      above({
        suffix: stamp,
        title: 'Presidential approval at the end of the week?',
        subTitle: monthText(closeAt),
        underlying: {
          seed: hash32(seed, 'approval'),
          level: 41.5,
          dailyMove: 0.22,
          relative: false,
        },
        show: (value) => `${value.toFixed(1)}%`,
        measure: 'the average approval of the US president at the close',
        strikes: [38.5, 39.5, 40.5, 41.5, 42.5, 43.5, 44.5],
      }),
    ],
  },
  {
    ...base,
    ticker: 'KXSHUTDOWN',
    title: 'US government shutdown',
    tags: ['Congress', 'Budget'],
    frequency: 'monthly',
    cadence: { unit: 'month', every: 1 },
    roundsOpen: 3,
    popularity: 0.8,
    events: ({ seed, closeAt, stamp }) => [
      question(seed, 'shutdown', {
        suffix: stamp,
        title: `US government shutdown in ${monthText(closeAt)}?`,
        rules: `If funding lapses for at least one federal department on any day of ${monthText(closeAt)}, the market resolves to Yes.`,
        chance: 0.14,
        swing: 0.6,
      }),
    ],
  },
  {
    ...base,
    ticker: 'KXLEADER',
    title: 'Change of government',
    tags: ['World leaders'],
    frequency: 'annual',
    cadence: { unit: 'year', every: 1 },
    roundsOpen: 2,
    popularity: 0.5,
    rulesSecondary: 'Leaving office for any reason counts, from the moment a successor takes over.',
    events: ({ seed, closeAt, stamp }) =>
      COUNTRIES.map((country, rank) =>
        question(seed, `leader${country.code}`, {
          suffix: `${stamp}${country.code}`,
          title: `New head of government in ${country.name} before ${Number(yearText(closeAt)) + 1}?`,
          subTitle: country.name,
          rules: `If someone else heads the government of ${country.name} before the end of ${yearText(closeAt)}, the market resolves to Yes.`,
          chance: 0.12 + rank * 0.05,
          popularity: 1 - rank * 0.08,
        }),
      ),
  },
];
