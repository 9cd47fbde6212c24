import { hash32, unit } from '../random.ts';
import { above, oneOf, question, ranges } from './builders.ts';
import { monthText, yearText } from './calendar.ts';
import type { SeriesTemplate } from './template.ts';

/** Science, companies, transport, health and world affairs. */

type AccountSnapshot = {
  ticker: string;
  title: string;
  category: string;
  tags: string[];
  popularity: number;
  years: number;
  items: { code: string; text: (before: string) => string; chance: number }[];
};

const base = {
  source: { name: 'Public announcements', url: 'https://example.org/announcements' },
  determineAfterMs: 120_000,
  settlementTimerSeconds: 3_600,
  rulesSecondary:
    'Two independent reports of established news services, or the announcement of the body concerned, decide.',
};

const LONG_RUNNING: AccountSnapshot[] = [
  {
    ticker: 'KXSPACE',
    title: 'Firsts in space',
    category: 'Science and Technology',
    tags: ['Space'],
    popularity: 0.78,
    years: 5,
    items: [
      { code: 'MOON', text: (y) => `People on the Moon again before ${y}?`, chance: 0.52 },
      { code: 'MARS', text: (y) => `People on Mars before ${y}?`, chance: 0.05 },
      { code: 'SAMPLE', text: (y) => `A Mars sample on Earth before ${y}?`, chance: 0.12 },
      {
        code: 'STATION',
        text: (y) => `A private space station with a crew before ${y}?`,
        chance: 0.44,
      },
      { code: 'ASTEROID', text: (y) => `An asteroid mined for sale before ${y}?`, chance: 0.04 },
    ],
  },
  {
    ticker: 'KXAIMILE',
    title: 'Milestones of computing',
    category: 'Science and Technology',
    tags: ['Computing'],
    popularity: 0.82,
    years: 1,
    items: [
      {
        code: 'MATH',
        text: (y) => `A major open maths problem solved by a computer before ${y}?`,
        chance: 0.38,
      },
      {
        code: 'DRIVE',
        text: (y) => `Driverless taxis in twenty cities before ${y}?`,
        chance: 0.61,
      },
      {
        code: 'QUBIT',
        text: (y) => `A quantum computer with 1,000 logical qubits before ${y}?`,
        chance: 0.09,
      },
      {
        code: 'ROBOT',
        text: (y) => `A household robot below $10,000 on sale before ${y}?`,
        chance: 0.47,
      },
      {
        code: 'CHIP',
        text: (y) => `A chip with one trillion transistors before ${y}?`,
        chance: 0.22,
      },
    ],
  },
  {
    ticker: 'KXENERGY',
    title: 'Energy firsts',
    category: 'Science and Technology',
    tags: ['Energy'],
    popularity: 0.45,
    years: 5,
    items: [
      { code: 'FUSION', text: (y) => `Fusion power on a public grid before ${y}?`, chance: 0.07 },
      {
        code: 'SMR',
        text: (y) => `A small modular reactor running in the US before ${y}?`,
        chance: 0.35,
      },
      {
        code: 'SOLAR',
        text: (y) => `A third of the world’s electricity from sun and wind before ${y}?`,
        chance: 0.4,
      },
      {
        code: 'BATTERY',
        text: (y) => `A solid-state battery in a mass-market car before ${y}?`,
        chance: 0.66,
      },
    ],
  },
  {
    ticker: 'KXHEALTH',
    title: 'Advances in medicine',
    category: 'Health',
    tags: ['Medicine'],
    popularity: 0.4,
    years: 2,
    items: [
      {
        code: 'MALARIA',
        text: (y) => `Malaria declared gone from five more countries before ${y}?`,
        chance: 0.28,
      },
      {
        code: 'GENE',
        text: (y) => `A gene therapy for heart disease approved before ${y}?`,
        chance: 0.31,
      },
      { code: 'POLIO', text: (y) => `Polio declared eradicated before ${y}?`, chance: 0.11 },
      {
        code: 'CANCER',
        text: (y) => `A cancer vaccine approved in the US before ${y}?`,
        chance: 0.36,
      },
    ],
  },
  {
    ticker: 'KXWORLD',
    title: 'World affairs',
    category: 'World',
    tags: ['Diplomacy'],
    popularity: 0.66,
    years: 1,
    items: [
      {
        code: 'EUJOIN',
        text: (y) => `A new member of the European Union before ${y}?`,
        chance: 0.06,
      },
      { code: 'UNSG', text: (y) => `A woman as UN secretary-general before ${y}?`, chance: 0.57 },
      { code: 'BRICS', text: (y) => `Another member of BRICS before ${y}?`, chance: 0.48 },
      {
        code: 'PLASTIC',
        text: (y) => `A global plastics treaty signed before ${y}?`,
        chance: 0.26,
      },
      {
        code: 'SUMMIT',
        text: (y) => `A summit of the five permanent council members before ${y}?`,
        chance: 0.17,
      },
    ],
  },
  {
    ticker: 'KXRAIL',
    title: 'Transport projects',
    category: 'Transportation',
    tags: ['Rail', 'Aviation'],
    popularity: 0.3,
    years: 2,
    items: [
      { code: 'HSR', text: (y) => `A US high-speed line above 185 mph before ${y}?`, chance: 0.15 },
      {
        code: 'EVTOL',
        text: (y) => `Paying passengers in an electric air taxi before ${y}?`,
        chance: 0.63,
      },
      { code: 'SST', text: (y) => `A supersonic passenger flight before ${y}?`, chance: 0.08 },
      { code: 'TUNNEL', text: (y) => `The Fehmarn Belt tunnel open before ${y}?`, chance: 0.2 },
    ],
  },
];

const COMPANIES = [
  {
    code: 'EVCO',
    name: 'the largest electric car maker',
    what: 'deliveries of the quarter',
    level: 480,
    step: 15,
    unit: 'k',
  },
  {
    code: 'STREAM',
    name: 'the largest streaming service',
    what: 'subscribers',
    level: 325,
    step: 4,
    unit: 'M',
  },
  {
    code: 'CLOUD',
    name: 'the largest cloud provider',
    what: 'quarterly revenue',
    level: 34,
    step: 1,
    unit: 'bn dollars',
  },
  {
    code: 'CHIPS',
    name: 'the largest chip designer',
    what: 'quarterly revenue',
    level: 58,
    step: 2,
    unit: 'bn dollars',
  },
  {
    code: 'PHONE',
    name: 'the largest phone maker',
    what: 'quarterly revenue',
    level: 124,
    step: 3,
    unit: 'bn dollars',
  },
];

export const worldTemplates: SeriesTemplate[] = [
  ...LONG_RUNNING.map(
    (group): SeriesTemplate => ({
      ...base,
      ticker: group.ticker,
      title: group.title,
      category: group.category,
      tags: group.tags,
      frequency: group.years === 1 ? 'annual' : 'custom',
      structure: group.years === 5 ? 'tapered_deci_cent' : 'linear_cent',
      cadence: { unit: 'year', every: group.years },
      roundsOpen: 1 + (group.years === 1 ? 1 : 0),
      popularity: group.popularity,
      events: ({ seed, closeAt, stamp }) =>
        group.items.map((item, rank) => {
          const title = item.text(String(Number(yearText(closeAt)) + 1));
          return question(seed, group.ticker, {
            suffix: `${stamp}${item.code}`,
            title,
            rules: `If the answer to "${title}" is yes by the close of the market, the market resolves to Yes.`,
            chance: item.chance,
            swing: 0.35,
            popularity: 1 - rank * 0.1,
          });
        }),
    }),
  ),
  ...COMPANIES.map(
    (company, rank): SeriesTemplate => ({
      ...base,
      ticker: `KX${company.code}`,
      title: `Results of ${company.name}`,
      category: 'Companies',
      tags: ['Earnings'],
      frequency: 'custom',
      cadence: { unit: 'month', every: 3, offsetMs: 25 * 86_400_000 },
      roundsOpen: 1,
      popularity: 0.52 - rank * 0.05,
      events: ({ seed, closeAt, stamp }) => [
        above({
          suffix: stamp,
          title: `What will ${company.name} report for its ${company.what}?`,
          subTitle: `Reported by ${monthText(closeAt)}`,
          underlying: {
            seed: hash32(seed, company.code, stamp),
            level: company.level,
            dailyMove: company.step / 9,
            relative: false,
          },
          show: (value) => `${value.toFixed(0)} ${company.unit}`,
          measure: `the ${company.what} reported by ${company.name}`,
          strikes: [-3, -2, -1, 0, 1, 2, 3].map((k) => company.level + k * company.step),
        }),
      ],
    }),
  ),
  {
    ...base,
    ticker: 'KXTOPCAP',
    title: 'Most valuable company',
    category: 'Companies',
    tags: ['Markets'],
    frequency: 'monthly',
    cadence: { unit: 'month', every: 1 },
    roundsOpen: 2,
    popularity: 0.69,
    events: ({ seed, closeAt, stamp }) => [
      oneOf(seed, 'topcap', {
        suffix: stamp,
        title: `Which sector has the most valuable company at the end of ${monthText(closeAt)}?`,
        subTitle: monthText(closeAt),
        choices: [
          { code: 'SEMI', name: 'Semiconductors', weight: 62 },
          { code: 'SOFT', name: 'Software', weight: 21 },
          { code: 'DEVICE', name: 'Devices', weight: 12 },
          { code: 'SEARCH', name: 'Search and advertising', weight: 9 },
          { code: 'OIL', name: 'Oil', weight: 2 },
        ],
        rules: (name) =>
          `If the most valuable listed company at the end of ${monthText(closeAt)} belongs to "${name}", the market resolves to Yes.`,
      }),
    ],
  },
  {
    ...base,
    ticker: 'KXTSA',
    title: 'Air passengers in the US',
    category: 'Transportation',
    tags: ['Aviation'],
    frequency: 'weekly',
    structure: 'center_whole_edge_quint_cent',
    cadence: { unit: 'week', every: 1 },
    roundsOpen: 3,
    popularity: 0.35,
    events: ({ seed, stamp }) => [
      above({
        suffix: stamp,
        title: 'Air passengers a day this week?',
        subTitle: 'Average of the seven days',
        underlying: { seed: hash32(seed, 'air'), level: 2.52, dailyMove: 0.02, relative: false },
        show: (value) => `${value.toFixed(2)} million`,
        measure: 'the average number of passengers screened at US airports per day of the week',
        strikes: [2.3, 2.4, 2.45, 2.5, 2.55, 2.6, 2.7],
      }),
    ],
  },
  {
    ...base,
    ticker: 'KXFLU',
    title: 'Flu season',
    category: 'Health',
    tags: ['Public health'],
    frequency: 'weekly',
    cadence: { unit: 'week', every: 1 },
    roundsOpen: 2,
    popularity: 0.25,
    events: ({ seed, stamp }) => [
      ranges({
        suffix: stamp,
        title: 'Share of doctor visits for flu-like illness this week?',
        underlying: { seed: hash32(seed, 'flu'), level: 3.2, dailyMove: 0.07, relative: false },
        show: (value) => `${value.toFixed(1)}%`,
        measure: 'the share of outpatient visits for flu-like illness',
        edges: [2, 2.5, 3, 3.5, 4, 4.5],
      }),
    ],
  },
  {
    ...base,
    ticker: 'KXQUAKE',
    title: 'Strong earthquakes',
    category: 'World',
    tags: ['Earth'],
    frequency: 'weekly',
    cadence: { unit: 'week', every: 1 },
    roundsOpen: 2,
    popularity: 0.28,
    events: ({ seed, stamp }) => [
      question(seed, 'quake', {
        suffix: stamp,
        title: 'An earthquake of magnitude 7 this week?',
        rules:
          'If an earthquake of magnitude 7.0 or more is recorded before the close, the market resolves to Yes.',
        chance: 0.24 + 0.08 * unit(seed, stamp),
      }),
    ],
  },
];
