import { unit } from '../random.ts';
import { oneOf } from './builders.ts';
import { dayText } from './calendar.ts';
import type { SeriesTemplate } from './template.ts';

const MARKETS_AN_EVENT = 20;
const EVENTS_A_SERIES = 100;

const PLACES = ['Harbor', 'Valley', 'Ridge', 'Delta', 'Summit', 'Meadow', 'Canyon', 'Island'];
const THINGS = [
  'turnout',
  'rainfall',
  'traffic',
  'harvest',
  'ridership',
  'output',
  'demand',
  'score',
];

/** As many plain markets as asked for, in daily groups, quoted but seldom traded. */
export function benchmarkTemplates(markets: number): SeriesTemplate[] {
  const events = Math.ceil(markets / MARKETS_AN_EVENT);
  const series = Math.ceil(events / EVENTS_A_SERIES);
  return Array.from({ length: series }, (_, index) =>
    benchmarkSeries(index, Math.min(EVENTS_A_SERIES, events - index * EVENTS_A_SERIES)),
  );
}

function benchmarkSeries(index: number, events: number): SeriesTemplate {
  const place = `${PLACES[index % PLACES.length]} ${index}`;
  return {
    ticker: `KXBENCH${index}`,
    title: `Measures of ${place}`,
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
    events: ({ seed, closeAt, stamp }) =>
      Array.from({ length: events }, (_, event) => {
        const what = `${THINGS[event % THINGS.length]} of district ${event}`;
        return oneOf(seed, `benchmark${index}`, {
          suffix: `${stamp}E${event}`,
          title: `Which range for the ${what} in ${place} by ${dayText(closeAt)}?`,
          choices: Array.from({ length: MARKETS_AN_EVENT }, (_, choice) => ({
            code: `C${choice}`,
            name: `Range ${choice + 1}`,
            weight: 0.2 + unit(seed, index, event, choice),
          })),
          rules: (name) =>
            `If the ${what} in ${place} falls in "${name}", the market resolves to Yes.`,
        });
      }),
  };
}
