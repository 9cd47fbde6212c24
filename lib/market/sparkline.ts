import { MICROS } from '../money.ts';
import { impliedChance } from './marketView.ts';

/** Prices of Yes at a moment. */
export type SparkPrice = {
  yesBidMicros: bigint | null;
  yesAskMicros: bigint | null;
  lastPriceMicros: bigint | null;
};

/** The size of the drawing in pixels. */
export const SPARK_WIDTH = 72;
export const SPARK_HEIGHT = 20;
/** Padding, so that the end of the line is not cut off. */
const INSET = 2;
/** The minimum range of the height: a move of a cent must not look like a landslide. */
const LEAST_RANGE_MICROS = MICROS / 10n;
/** With fewer hourly prices no line is drawn. */
const LEAST_POINTS = 4;

/** A path through the points, and where it ends. */
export type Spark = { path: string; endY: number };

/**
 * The line of a day: a price for each full hour, the oldest first, then the current one. Unknown
 * hours at the start stay empty. Undefined when too little is known.
 */
export function sparkOf(
  hours: readonly (SparkPrice | undefined)[],
  nowMicros: bigint | null,
): Spark | undefined {
  const chances = [...hours.map(chanceOf), nowMicros];
  const known = chances.filter((chance) => chance !== null);
  if (nowMicros === null || known.length < LEAST_POINTS) return undefined;
  const yOf = heights(known);
  const step = SPARK_WIDTH - INSET;
  const points = chances.flatMap((chance, index) =>
    chance === null
      ? []
      : [{ x: Math.round((index * step) / (chances.length - 1)), y: yOf(chance) }],
  );
  return { path: pathOf(points), endY: yOf(nowMicros) };
}

function chanceOf(price: SparkPrice | undefined): bigint | null {
  return price ? impliedChance({ ...price, noBidMicros: null, noAskMicros: null }) : null;
}

/** The y position of a chance, from the top in half pixels. */
function heights(chances: readonly bigint[]): (chance: bigint) => number {
  let lowest = chances[0] ?? 0n;
  let highest = lowest;
  for (const chance of chances) {
    if (chance < lowest) lowest = chance;
    if (chance > highest) highest = chance;
  }
  const middle = (lowest + highest) / 2n;
  const range = highest - lowest > LEAST_RANGE_MICROS ? highest - lowest : LEAST_RANGE_MICROS;
  const halves = BigInt((SPARK_HEIGHT - 2 * INSET) * 2);
  return (chance) => SPARK_HEIGHT / 2 - Number(((chance - middle) * halves) / range) / 2;
}

/** Drops points on a level stretch: a list has many of these lines. */
function pathOf(points: readonly { x: number; y: number }[]): string {
  return points
    .filter(({ y }, index) => y !== points[index - 1]?.y || y !== points[index + 1]?.y)
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`)
    .join('');
}
