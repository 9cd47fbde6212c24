import type { PricePoint, Trade } from '#lib/api/schemas/market.ts';
import { parseMicros } from '#lib/money.ts';

/** A traded price: Unix seconds, cents of Yes and contracts. For drawing only. */
export type Tick = { time: number; value: number; volume: number };

/** The prices within one period, which starts at `time`. */
export type Candle = {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
};

/** The trades of a list, oldest first. */
export function tradeTicks(trades: readonly Trade[]): Tick[] {
  return trades
    .map(({ at, yesPriceDollars, contracts }) => ({
      time: secondsOf(at),
      value: centsOf(yesPriceDollars),
      volume: contracts,
    }))
    .toReversed();
}

/** The last traded price of each recorded moment; moments without one are left out. */
export function priceTicks(points: readonly PricePoint[]): Tick[] {
  return points.flatMap(({ at, lastPriceDollars, volume }) =>
    lastPriceDollars === null
      ? []
      : [{ time: secondsOf(at), value: centsOf(lastPriceDollars), volume }],
  );
}

/** One point a second, the last of each: a line cannot have two. */
export function tickLine(ticks: readonly Tick[]): { time: number; value: number }[] {
  return [...new Map(ticks.map(({ time, value }) => [time, { time, value }])).values()];
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WIDTHS = [
  1,
  5,
  15,
  30,
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 8, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7].map((days) => days * DAY),
];
const MOST_CANDLES = 60;

/** At most about sixty candles of a round width, oldest first. Each one opens where the last closed. */
export function candlesOf(ticks: readonly Tick[]): Candle[] {
  const span = (ticks.at(-1)?.time ?? 0) - (ticks[0]?.time ?? 0);
  const width = WIDTHS.find((one) => span / one <= MOST_CANDLES) ?? 30 * DAY;
  const candles: Candle[] = [];
  for (const { time, value, volume } of ticks) {
    const start = Math.floor(time / width) * width;
    const last = candles.at(-1);
    if (last?.time === start) {
      last.high = Math.max(last.high, value);
      last.low = Math.min(last.low, value);
      last.close = value;
      last.volume += volume;
      continue;
    }
    const open = last?.close ?? value;
    candles.push({
      time: start,
      open,
      high: Math.max(open, value),
      low: Math.min(open, value),
      close: value,
      volume,
    });
  }
  return candles;
}

/** Older prices are thinned out, and the contracts between them are not recorded. */
const VOLUME_SPAN = 45 * DAY;

export function hasVolumes(ticks: readonly Tick[], nowSeconds: number): boolean {
  return nowSeconds - (ticks[0]?.time ?? nowSeconds) <= VOLUME_SPAN;
}

function secondsOf(iso: string): number {
  return Math.floor(Date.parse(iso) / 1_000);
}

function centsOf(dollars: string): number {
  return Number(parseMicros(dollars)) / 10_000;
}
