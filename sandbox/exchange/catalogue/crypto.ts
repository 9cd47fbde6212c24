import type { Underlying } from '../fairPrice.ts';
import { hash32 } from '../random.ts';
import { above, ranges, strikesAround, upOrDown, withDecimals } from './builders.ts';
import { dayText, monthText, timeText, yearText } from './calendar.ts';
import type { SeriesTemplate } from './template.ts';

type Coin = { code: string; name: string; level: number; dailyMove: number; step: number };

const COINS: Coin[] = [
  { code: 'BTC', name: 'Bitcoin', level: 112_000, dailyMove: 0.018, step: 500 },
  { code: 'ETH', name: 'Ethereum', level: 4_150, dailyMove: 0.024, step: 20 },
  { code: 'SOL', name: 'Solana', level: 205, dailyMove: 0.031, step: 2 },
  { code: 'XRP', name: 'XRP', level: 2.65, dailyMove: 0.03, step: 0.02 },
  { code: 'DOGE', name: 'Dogecoin', level: 0.235, dailyMove: 0.035, step: 0.002 },
];

const SOURCE = { name: 'Composite reference rate', url: 'https://example.org/reference-rate' };
const RULES =
  'The value is the average of the sixty seconds before the close of a composite of large spot exchanges. If no value is published, the last published one counts.';

export const cryptoTemplates: SeriesTemplate[] = COINS.flatMap((coin, rank) => [
  upDown(coin, 5, 0.5 - rank * 0.08),
  upDown(coin, 15, 0.55 - rank * 0.08),
  ladder(coin, 'hour', 0.5 - rank * 0.08),
  ladder(coin, 'day', 0.75 - rank * 0.1),
  monthly(coin, 0.9 - rank * 0.12),
  yearly(coin, 0.95 - rank * 0.14),
]);

function underlyingOf(seed: number, coin: Coin): Underlying {
  return {
    seed: hash32(seed, 'coin', coin.code),
    level: coin.level,
    dailyMove: coin.dailyMove,
    relative: true,
  };
}

function show(coin: Coin): (value: number) => string {
  const decimals = coin.level > 1_000 ? 0 : coin.level > 10 ? 2 : 4;
  const format = withDecimals(decimals);
  return (value) => `$${format(value)}`;
}

function base(coin: Coin) {
  return { category: 'Crypto', tags: [coin.name, 'Price'], source: SOURCE, rulesSecondary: RULES };
}

function upDown(coin: Coin, minutes: number, popularity: number): SeriesTemplate {
  return {
    ...base(coin),
    ticker: `KX${coin.code}${minutes}M`,
    title: `${coin.name} up or down in ${minutes} minutes`,
    frequency: 'custom',
    cadence: { unit: 'minute', every: minutes },
    roundsOpen: minutes === 5 ? 2 : 1,
    determineAfterMs: 8_000,
    settlementTimerSeconds: 12,
    popularity,
    events: ({ seed, openAt, closeAt, stamp }) => [
      upOrDown({
        suffix: stamp,
        title: `${coin.name} price up by ${timeText(closeAt)}?`,
        subTitle: `${minutes}-minute round ending ${timeText(closeAt)} on ${dayText(closeAt)}`,
        underlying: underlyingOf(seed, coin),
        show: show(coin),
        measure: `the price of ${coin.name} at ${timeText(closeAt)} on ${dayText(closeAt)}`,
        openAt,
      }),
    ],
  };
}

function ladder(coin: Coin, unit: 'hour' | 'day', popularity: number): SeriesTemplate {
  const daily = unit === 'day';
  return {
    ...base(coin),
    ticker: daily ? `KX${coin.code}D` : `KX${coin.code}H`,
    title: `${coin.name} price ${daily ? 'each day' : 'each hour'}`,
    frequency: daily ? 'daily' : 'hourly',
    structure: daily ? 'linear_cent' : 'tapered_deci_cent',
    cadence: daily ? { unit, every: 1, offsetMs: -3 * 3_600_000 } : { unit, every: 1 },
    roundsOpen: daily ? 3 : 4,
    determineAfterMs: 20_000,
    settlementTimerSeconds: daily ? 300 : 60,
    popularity,
    events: ({ seed, openAt, closeAt, stamp }) => {
      const underlying = underlyingOf(seed, coin);
      const step = daily ? coin.step * 3 : coin.step;
      return [
        above({
          suffix: stamp,
          title: `${coin.name} price on ${dayText(closeAt)} at ${timeText(closeAt)}?`,
          subTitle: `${dayText(closeAt)}, ${timeText(closeAt)}`,
          underlying,
          show: show(coin),
          measure: `the price of ${coin.name} at ${timeText(closeAt)} on ${dayText(closeAt)}`,
          strikes: strikesAround(underlying, openAt, step, daily ? 11 : 9),
        }),
      ];
    },
  };
}

function monthly(coin: Coin, popularity: number): SeriesTemplate {
  return {
    ...base(coin),
    ticker: `KX${coin.code}MON`,
    title: `${coin.name} at the end of the month`,
    frequency: 'monthly',
    cadence: { unit: 'month', every: 1 },
    roundsOpen: 3,
    determineAfterMs: 60_000,
    settlementTimerSeconds: 3_600,
    popularity,
    events: ({ seed, openAt, closeAt, stamp }) => {
      const underlying = underlyingOf(seed, coin);
      return [
        ranges({
          suffix: stamp,
          title: `Where will ${coin.name} end ${monthText(closeAt)}?`,
          subTitle: monthText(closeAt),
          underlying,
          show: show(coin),
          measure: `the price of ${coin.name} at the end of ${monthText(closeAt)}`,
          edges: strikesAround(underlying, openAt, coin.step * 14, 9),
        }),
      ];
    },
  };
}

function yearly(coin: Coin, popularity: number): SeriesTemplate {
  return {
    ...base(coin),
    ticker: `KX${coin.code}Y`,
    title: `${coin.name} at the end of the year`,
    frequency: 'annual',
    feeMultiplier: 0.5,
    cadence: { unit: 'year', every: 1 },
    roundsOpen: 2,
    determineAfterMs: 60_000,
    settlementTimerSeconds: 3_600,
    popularity,
    events: ({ seed, openAt, closeAt, stamp }) => {
      const underlying = underlyingOf(seed, coin);
      return [
        above({
          suffix: stamp,
          title: `How high will ${coin.name} end ${yearText(closeAt)}?`,
          subTitle: `By the end of ${yearText(closeAt)}`,
          underlying,
          show: show(coin),
          measure: `the price of ${coin.name} at the end of ${yearText(closeAt)}`,
          strikes: strikesAround(underlying, openAt, coin.step * 40, 9),
        }),
      ];
    },
  };
}
