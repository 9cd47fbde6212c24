import { expect, it } from 'vitest';
import { candlesOf, hasVolumes, priceTicks, tickLine, tradeTicks } from './candles.ts';

const trade = (second: string, yesPriceDollars: string, contracts: number) => ({
  id: second + yesPriceDollars,
  ticker: 'ROUND',
  takerSide: 'yes' as const,
  yesPriceDollars,
  noPriceDollars: '0',
  contracts,
  at: `2026-11-21T05:00:${second}.250Z`,
});

const START = Date.parse('2026-11-21T05:00:00Z') / 1_000;

it('given trades newest first, gives ticks oldest first, and a line with one point a second', () => {
  const ticks = tradeTicks([
    trade('09', '0.44', 2),
    trade('03', '0.415', 1.5),
    trade('03', '0.4', 1),
  ]);
  expect(ticks).toEqual([
    { time: START + 3, value: 40, volume: 1 },
    { time: START + 3, value: 41.5, volume: 1.5 },
    { time: START + 9, value: 44, volume: 2 },
  ]);
  expect(tickLine(ticks)).toEqual([
    { time: START + 3, value: 41.5 },
    { time: START + 9, value: 44 },
  ]);
});

it('given recorded prices, leaves out moments before the first trade', () => {
  const point = { at: '2026-11-21T05:00:00Z', yesBidDollars: null, yesAskDollars: null, volume: 3 };
  expect(
    priceTicks([
      { ...point, lastPriceDollars: null },
      { ...point, lastPriceDollars: '0.62' },
    ]),
  ).toEqual([{ time: START, value: 62, volume: 3 }]);
});

it('sums up each period, and opens each candle where the last one closed', () => {
  const at = (minute: number, value: number) => ({ time: START + minute * 60, value, volume: 1 });
  // An hour in sixty minutes.
  const candles = candlesOf([
    at(0, 40),
    at(0.2, 44),
    at(0.4, 38),
    at(0.6, 41),
    at(2, 45),
    at(60, 45),
  ]);
  expect(candles).toEqual([
    { time: START, open: 40, high: 44, low: 38, close: 41, volume: 4 },
    { time: START + 120, open: 41, high: 45, low: 41, close: 45, volume: 1 },
    { time: START + 3_600, open: 45, high: 45, low: 45, close: 45, volume: 1 },
  ]);
  expect(candlesOf([])).toEqual([]);
});

it('given any span, has at most 62 candles', () => {
  for (const span of [10, 3_600, 21_600, 86_400, 604_800, 2_678_400, 63_072_000]) {
    const ticks = Array.from({ length: 1_000 }, (_, index) => ({
      time: START + Math.floor((span * index) / 999),
      value: 50,
      volume: 1,
    }));
    const candles = candlesOf(ticks);
    expect(candles.length).toBeLessThanOrEqual(62);
    expect(candles.reduce((sum, { volume }) => sum + volume, 0)).toBe(1_000);
  }
});

it('given prices older than the exact record, has no volumes', () => {
  const tick = { time: START, value: 50, volume: 1 };
  expect(hasVolumes([tick], START + 40 * 86_400)).toBe(true);
  expect(hasVolumes([tick], START + 46 * 86_400)).toBe(false);
});
