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
/** Room for the end of the line, so that it is not cut. */
const INSET = 2;
/** The least that the height stands for: a move of a cent shall not look like a landslide. */
const LEAST_RANGE_MICROS = MICROS / 10n;
/** Hours with a price, below which there is nothing to see. */
const LEAST_POINTS = 4;

/** A path through the points, and where it ends. */
export type Spark = { path: string; endY: number };

/**
 * The line of a day: a price for each full hour, the oldest first, and the one that holds now. What
 * is not known at the beginning leaves its place empty. Undefined when too little is known.
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

/** Where a chance stands; from the top, in half pixels. */
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

/** Points on a level stretch say nothing and are left out: a list has many of these lines. */
function pathOf(points: readonly { x: number; y: number }[]): string {
  return points
    .filter(({ y }, index) => y !== points[index - 1]?.y || y !== points[index + 1]?.y)
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`)
    .join('');
}
