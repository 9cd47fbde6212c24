import type { Candle } from '#lib/browser/market/candles.ts';
import { centsRounded, chance, dollarsDown, dollarsSigned, estimate } from '#lib/format/money.ts';

/** A point of a line: Unix seconds, and a number for drawing only. */
export type ChartPoint = { time: number; value: number };

/** A trade of the visitor, at its price on the line. */
export type ChartMark = ChartPoint & { kind: 'bought' | 'sold'; token: string; text: string };

/** The price of an order of the visitor that rests in the book. */
export type ChartRest = { key: string; value: number; token: string; text: string };

export type ChartLine = {
  key: string;
  label: string;
  token: string;
  points: ChartPoint[];
  /** Drawn instead of the points. */
  candles?: Candle[];
  marks?: ChartMark[];
  rests?: ChartRest[];
};

/** Distinguishable in both themes; Yes and No have their own colours. */
const LINE_TOKENS = ['--ink', '--line-a', '--line-b', '--line-c', '--line-d'] as const;

export function lineToken(index: number): string {
  return LINE_TOKENS[index % LINE_TOKENS.length] ?? '--ink';
}

/** The same as a CSS colour, for marks beside the chart. */
export function lineColor(index: number): string {
  return `var(${lineToken(index)})`;
}

/** The value range that the height represents. */
export type ChartScale = {
  format: (value: number) => string;
  step: number;
  lowest: number;
  highest: number;
  /** The minimum range, around a middle. */
  leastRange: (middle: number) => number;
  /** Values above and below it have different colours. */
  baseline?: number;
};

/** Percent, rounded as the chance beside the chart is. */
export const CHANCE_SCALE: ChartScale = {
  format: (value) => chance(microsOf(value)),
  step: 1,
  lowest: 0,
  highest: 100,
  leastRange: () => 10,
};

/** Of a dollar, as a scalar market pays it. */
export const PAYOUT_SCALE: ChartScale = {
  ...CHANCE_SCALE,
  format: (value) => estimate({ isScalar: true }, microsOf(value)),
};

/** Of a trade, to the tenth of a cent. */
export const PRICE_SCALE: ChartScale = {
  ...CHANCE_SCALE,
  format: (value) => centsRounded(microsOf(value)),
  step: 0.5,
};

function microsOf(percent: number): bigint {
  return BigInt(Math.round(percent * 10_000));
}

/** A balance, rounded as the totals beside the chart are. */
export const DOLLAR_SCALE: ChartScale = {
  format: (value) => dollarsDown(BigInt(Math.round(value * 1_000_000))),
  step: 0.01,
  lowest: 0,
  highest: Number.POSITIVE_INFINITY,
  leastRange: (middle) => Math.max(1, middle * 0.02),
};

export const PROFIT_SCALE: ChartScale = {
  ...DOLLAR_SCALE,
  format: (value) => dollarsSigned(BigInt(Math.round(value * 1_000_000))),
  lowest: Number.NEGATIVE_INFINITY,
  leastRange: () => 1,
  baseline: 0,
};

/** The range of the height for values between these: small moves must not look large. */
export function rangeAround(least: number, most: number, scale: ChartScale) {
  const middle = (least + most) / 2;
  const half = Math.max(most - least, scale.leastRange(middle)) / 2;
  return {
    lowest: Math.max(scale.lowest, middle - half),
    highest: Math.min(scale.highest, middle + half),
  };
}
