import { hash32, unit } from '../random.ts';
import { oneOf, question, scalar } from './builders.ts';
import { dayText, timeText } from './calendar.ts';
import type { EventContext, SeriesTemplate } from './template.ts';

/**
 * Rounds of two minutes, so that some market always ends and pays soon: one of each kind of result.
 */
const base = {
  frequency: 'custom',
  tags: ['Quick rounds'],
  source: { name: 'Sandbox measurements', url: 'https://example.org/quick-rounds' },
  cadence: { unit: 'minute', every: 2 },
  roundsOpen: 2,
  determineAfterMs: 4_000,
  settlementTimerSeconds: 6,
  popularity: 0.6,
  rulesSecondary: 'The value is read once, at the close. Two rounds are open at any time.',
} as const satisfies Partial<SeriesTemplate>;

const until = ({ closeAt }: EventContext) => `${timeText(closeAt)} on ${dayText(closeAt)}`;
const roundText = (context: EventContext) => `Two-minute round ending ${until(context)}`;

export const quickTemplates: SeriesTemplate[] = [
  {
    ...base,
    ticker: 'KXQUICKCOIN',
    title: 'Coin toss every two minutes',
    category: 'Entertainment',
    events: (context) => [
      question(context.seed, 'toss', {
        suffix: context.stamp,
        title: `Heads at ${timeText(context.closeAt)}?`,
        subTitle: roundText(context),
        rules: `If the coin tossed at ${until(context)} shows heads, the market resolves to Yes.`,
        chance: 0.5,
      }),
    ],
  },
  {
    ...base,
    ticker: 'KXQUICKWIND',
    title: 'Wind direction every two minutes',
    category: 'Climate and Weather',
    cadence: { ...base.cadence, offsetMs: 60_000 },
    events: (context) => [
      oneOf(context.seed, 'wind', {
        suffix: context.stamp,
        title: `Where does the wind come from at ${timeText(context.closeAt)}?`,
        subTitle: roundText(context),
        choices: ['North', 'East', 'South', 'West'].map((name) => ({
          code: name.slice(0, 1),
          name,
          weight: 0.5 + unit(context.seed, context.stamp, name),
        })),
        rules: (name) =>
          `If the wind at the harbor comes from the ${name.toLowerCase()} at ${until(context)}, the market resolves to Yes.`,
      }),
    ],
  },
  {
    ...base,
    ticker: 'KXQUICKTRAIN',
    title: 'Seats taken on the train, every two minutes',
    category: 'Transportation',
    marketType: 'scalar',
    cadence: { ...base.cadence, offsetMs: 30_000 },
    events: (context) => [
      scalar({
        suffix: context.stamp,
        title: `Share of seats taken at ${timeText(context.closeAt)}?`,
        subTitle: roundText(context),
        underlying: {
          seed: hash32(context.seed, 'train'),
          level: 55,
          dailyMove: 16,
          relative: false,
        },
        show: (value) => `${value.toFixed(0)} percent`,
        measure: `the share of seats taken at ${until(context)}`,
        floor: 0,
        cap: 100,
      }),
    ],
  },
];
