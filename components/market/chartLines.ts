import type { ChancePoint } from '#lib/market/chancePoints.ts';

/** One line of a chart: what it is called, the token of its colour, its points in order. */
export type ChartLine = { key: string; label: string; token: string; points: ChancePoint[] };

/** Colours of several lines in one chart, told apart in both themes; Yes and No are not among them. */
export const LINE_TOKENS = ['--ink', '--line-a', '--line-b', '--line-c'] as const;
