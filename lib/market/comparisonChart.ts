import { MICROS } from '#lib/money.ts';

/** A chance at a moment. */
export type TimedChance = { atMs: number; chanceMicros: bigint };

/** The size of the drawing; the page stretches it. */
export const COMPARISON_WIDTH = 600;
export const COMPARISON_HEIGHT = 200;
/** The minimum range of the height: a move of a cent must not look like a landslide. */
const LEAST_RANGE_MICROS = MICROS / 5n;
const TICK_STEPS_MICROS = [50_000n, 100_000n, 200_000n, 250_000n];
const MOST_TICKS = 5;

export type ComparisonChart = {
  /** A step line for each input, in its order; undefined for one without points. */
  paths: (string | undefined)[];
  /** Levels of the grid, with their distance from the top. */
  ticks: { chanceMicros: bigint; y: number }[];
};

/** Draws lines over the same time and the same range of chances. */
export function comparisonChart(
  lines: readonly (readonly TimedChance[])[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): ComparisonChart {
  const known = lines.flat().map(({ chanceMicros }) => chanceMicros);
  const range = rangeOf(known);
  const x = (atMs: number) =>
    Math.round((Math.max(0, atMs - fromMs) / (toMs - fromMs)) * COMPARISON_WIDTH);
  const y = (chanceMicros: bigint) =>
    Math.round(
      (Number(range.highest - chanceMicros) / Number(range.highest - range.lowest)) *
        COMPARISON_HEIGHT *
        10,
    ) / 10;
  return {
    paths: lines.map((points) => {
      if (points.length === 0) return undefined;
      const steps = points.map(({ atMs, chanceMicros }, index) =>
        index === 0 ? `M${x(atMs)} ${y(chanceMicros)}` : `H${x(atMs)}V${y(chanceMicros)}`,
      );
      return `${steps.join('')}H${COMPARISON_WIDTH}`;
    }),
    ticks: ticksIn(range).map((chanceMicros) => ({ chanceMicros, y: y(chanceMicros) })),
  };
}

type Range = { lowest: bigint; highest: bigint };

/** Whole tick steps around all chances, within a dollar. */
function rangeOf(chances: readonly bigint[]): Range {
  let lowest = MICROS;
  let highest = 0n;
  for (const chance of chances) {
    if (chance < lowest) lowest = chance;
    if (chance > highest) highest = chance;
  }
  if (lowest > highest) return { lowest: 0n, highest: MICROS };
  const missing = LEAST_RANGE_MICROS - (highest - lowest);
  if (missing > 0n) {
    lowest -= missing / 2n;
    highest += missing / 2n;
  }
  const step = stepOf({ lowest, highest });
  const below = (lowest / step) * step;
  const above = ((highest + step - 1n) / step) * step;
  return { lowest: below < 0n ? 0n : below, highest: above > MICROS ? MICROS : above };
}

function stepOf({ lowest, highest }: Range): bigint {
  const fits = (step: bigint) => (highest - lowest) / step < BigInt(MOST_TICKS);
  return TICK_STEPS_MICROS.find(fits) ?? MICROS / 4n;
}

function ticksIn(range: Range): bigint[] {
  const step = stepOf(range);
  const ticks: bigint[] = [];
  const first = ((range.lowest + step - 1n) / step) * step;
  for (let tick = first; tick <= range.highest; tick += step) ticks.push(tick);
  return ticks;
}
