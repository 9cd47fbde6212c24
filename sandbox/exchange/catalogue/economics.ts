import { hash32 } from '../random.ts';
import { above, oneOf, ranges, strikesAround, withDecimals } from './builders.ts';
import { monthText, yearText } from './calendar.ts';
import type { SeriesTemplate } from './template.ts';

const SOURCE = { name: 'National statistics office', url: 'https://example.org/statistics' };
const RULES =
  'The first published figure counts, as printed in the release; later revisions do not change the result.';

const figure = withDecimals(2, 0);

const BANKS = [
  { code: 'FED', name: 'the Federal Reserve', weights: [3, 52, 40, 4] },
  { code: 'ECB', name: 'the European Central Bank', weights: [1, 22, 74, 3] },
  { code: 'BOE', name: 'the Bank of England', weights: [1, 44, 53, 2] },
  { code: 'BOJ', name: 'the Bank of Japan', weights: [1, 2, 68, 29] },
  { code: 'BOC', name: 'the Bank of Canada', weights: [2, 35, 61, 2] },
];

const RELEASES = [
  {
    code: 'CPIYOY',
    name: 'US inflation over the year',
    level: 2.9,
    move: 0.03,
    step: 0.1,
    unit: '%',
  },
  {
    code: 'CPICORE',
    name: 'US core inflation over the year',
    level: 3.1,
    move: 0.02,
    step: 0.1,
    unit: '%',
  },
  { code: 'U3', name: 'US unemployment rate', level: 4.4, move: 0.015, step: 0.1, unit: '%' },
  {
    code: 'PAYROLLS',
    name: 'jobs added in the US',
    level: 95_000,
    move: 4_500,
    step: 25_000,
    unit: '',
  },
  {
    code: 'RETAIL',
    name: 'US retail sales over the month',
    level: 0.3,
    move: 0.05,
    step: 0.2,
    unit: '%',
  },
  {
    code: 'EUCPI',
    name: 'euro area inflation over the year',
    level: 2.1,
    move: 0.02,
    step: 0.1,
    unit: '%',
  },
  {
    code: 'UKCPI',
    name: 'UK inflation over the year',
    level: 3.4,
    move: 0.03,
    step: 0.1,
    unit: '%',
  },
  {
    code: 'GASAVG',
    name: 'average US petrol price',
    level: 3.12,
    move: 0.012,
    step: 0.05,
    unit: ' dollars',
  },
  {
    code: 'MORTGAGE',
    name: '30-year US mortgage rate',
    level: 6.2,
    move: 0.025,
    step: 0.1,
    unit: '%',
  },
];

export const economicsTemplates: SeriesTemplate[] = [
  ...BANKS.map(
    (bank, rank): SeriesTemplate => ({
      ticker: `KX${bank.code}DECISION`,
      title: `Rate decision of ${bank.name}`,
      category: 'Economics',
      tags: ['Interest rates', bank.code],
      frequency: 'monthly',
      source: { name: 'Policy statement', url: 'https://example.org/policy-statements' },
      cadence: { unit: 'month', every: 1, offsetMs: -10 * 86_400_000 },
      roundsOpen: 5,
      determineAfterMs: 120_000,
      settlementTimerSeconds: 1_800,
      popularity: 1 - rank * 0.16,
      rulesSecondary:
        'The change of the upper end of the target range (or of the main policy rate) announced at the meeting counts. Without a meeting in the month the rate counts as unchanged.',
      events: ({ seed, closeAt, stamp }) => [
        oneOf(seed, `decision${bank.code}`, {
          suffix: stamp,
          title: `What will ${bank.name} do with rates in ${monthText(closeAt)}?`,
          subTitle: monthText(closeAt),
          choices: [
            { code: 'C50', name: 'Cut of 50 bps or more', weight: bank.weights[0] ?? 1 },
            { code: 'C25', name: 'Cut of 25 bps', weight: bank.weights[1] ?? 1 },
            { code: 'H0', name: 'No change', weight: bank.weights[2] ?? 1 },
            { code: 'H25', name: 'Rise of 25 bps or more', weight: bank.weights[3] ?? 1 },
          ],
          rules: (name) =>
            `If the ${monthText(closeAt)} meeting of ${bank.name} ends with "${name}", the market resolves to Yes.`,
          swing: 0.35,
        }),
      ],
    }),
  ),
  ...RELEASES.map(
    (item, rank): SeriesTemplate => ({
      ticker: `KX${item.code}`,
      title: capital(item.name),
      category: 'Economics',
      tags: ['Data releases'],
      frequency: 'monthly',
      feeType: rank === 0 ? 'quadratic_with_maker_fees' : 'quadratic',
      source: SOURCE,
      cadence: { unit: 'month', every: 1, offsetMs: -16 * 86_400_000 },
      roundsOpen: 4,
      determineAfterMs: 60_000,
      settlementTimerSeconds: 1_800,
      popularity: 0.85 - rank * 0.07,
      rulesSecondary: RULES,
      events: ({ seed, openAt, closeAt, stamp }) => {
        const underlying = {
          seed: hash32(seed, item.code),
          level: item.level,
          dailyMove: item.move,
          relative: false,
        };
        return [
          above({
            suffix: stamp,
            title: `${capital(item.name)} in ${monthText(closeAt)}?`,
            subTitle: monthText(closeAt),
            underlying,
            show: (value) => `${figure(value)}${item.unit}`,
            measure: `the figure for ${item.name} released in ${monthText(closeAt)}`,
            strikes: strikesAround(underlying, openAt, item.step, 7),
          }),
        ];
      },
    }),
  ),
  {
    ticker: 'KXGDPY',
    title: 'US growth over the year',
    category: 'Economics',
    tags: ['Growth'],
    frequency: 'annual',
    source: SOURCE,
    cadence: { unit: 'year', every: 1 },
    roundsOpen: 2,
    determineAfterMs: 60_000,
    settlementTimerSeconds: 3_600,
    popularity: 0.6,
    rulesSecondary: RULES,
    events: ({ seed, closeAt, stamp }) => [
      ranges({
        suffix: stamp,
        title: `How much will the US economy grow in ${yearText(closeAt)}?`,
        subTitle: yearText(closeAt),
        underlying: { seed: hash32(seed, 'gdp'), level: 2.1, dailyMove: 0.04, relative: false },
        show: (value) => `${value.toFixed(1)}%`,
        measure: `real growth of gross domestic product over ${yearText(closeAt)}`,
        edges: [0.5, 1, 1.5, 2, 2.5, 3, 3.5],
      }),
    ],
  },
];

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
