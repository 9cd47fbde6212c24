import type { ChartLine, ChartMark, ChartScale } from './chartLines.ts';

/** Something at a place of the picture, in hundredths of its width or height. */
type Placed<Thing> = Thing & { at: number };

/** A chart as a picture: what to draw in a box of 100 by 100, and what to write beside it. */
export type StillDrawing = {
  lines: { key: string; token: string; path: string }[];
  /** The area below, where there is one line only. */
  area: { token: string; path: string } | undefined;
  values: Placed<{ text: string }>[];
  /** Where each line has come to. */
  latest: Placed<{ key: string; token: string; text: string }>[];
  times: Placed<{ seconds: number }>[];
  marks: (Placed<Pick<ChartMark, 'kind' | 'token'>> & { height: number; key: string })[];
};

/** What the canvas leaves free above and below the lines. */
const MARGIN = { top: 10, bottom: 6 };
const TIME_PLACES = [1 / 8, 3 / 8, 5 / 8, 7 / 8];
/** The least distance of two times written below the picture. */
const TIME_STEP = 20;
/** The least distance of two values written beside the picture. */
const LEAST_STEP = 13;
/** The least distance of what says where two lines have come to. */
const LATEST_STEP = 9;
/** Of a power of ten. */
const ROUND_STEPS = [1, 2, 2.5, 5, 10];

/**
 * Lays the lines out as the canvas does: steps, each recorded moment as wide as any other.
 * @param lines with a point at least in each
 */
export function stillDrawing(lines: readonly ChartLine[], scale: ChartScale): StillDrawing {
  const moments = [...new Set(lines.flatMap(({ points }) => points.map(({ time }) => time)))].sort(
    (a, b) => a - b,
  );
  const placeOf = new Map(
    moments.map((time, index) => [time, (index / Math.max(1, moments.length - 1)) * 100]),
  );
  const across = (time: number) => rounded(placeOf.get(time) ?? 0);
  const { lowest, highest } = shownRange(lines, scale);
  const height = (value: number) =>
    rounded(
      MARGIN.top + ((highest - value) / (highest - lowest)) * (100 - MARGIN.top - MARGIN.bottom),
    );
  const [only, second] = lines;
  return {
    lines: lines.map((line) => ({
      key: line.key,
      token: line.token,
      path: stepPath(line, across, height),
    })),
    area:
      only && !second
        ? { token: only.token, path: `${stepPath(only, across, height)}V100H${startOf(only)}Z` }
        : undefined,
    values: roundValues(lowest, highest)
      .filter((value) => value >= scale.lowest && value <= scale.highest)
      .map((value) => ({ at: height(value), text: scale.format(value) })),
    latest: apart(
      lines.flatMap(({ key, token, points }) => {
        const last = points.at(-1);
        return last ? [{ at: height(last.value), key, token, text: scale.format(last.value) }] : [];
      }),
    ),
    times: timesBelow(moments, across),
    marks: lines.flatMap((line) => marksOf(line, across, height)),
  };

  function startOf(line: ChartLine): number {
    return across(line.points[0]?.time ?? 0);
  }
}

/** Where little is recorded, places fall together, or so near that what is written would touch. */
function timesBelow(moments: readonly number[], across: Placing): Placed<{ seconds: number }>[] {
  const times: Placed<{ seconds: number }>[] = [];
  for (const place of TIME_PLACES) {
    const seconds = moments[Math.round(place * (moments.length - 1))];
    if (seconds === undefined) continue;
    const at = across(seconds);
    const before = times.at(-1);
    if (!before || at - before.at >= TIME_STEP) times.push({ at, seconds });
  }
  return times;
}

/** Moves what would cover each other apart, in the order it stands in and within the picture. */
function apart<Thing>(placed: Placed<Thing>[]): Placed<Thing>[] {
  const sorted = [...placed].sort((a, b) => a.at - b.at);
  let least = 0;
  for (const one of sorted) {
    one.at = Math.max(one.at, least);
    least = one.at + LATEST_STEP;
  }
  let most = 100;
  for (const one of sorted.reverse()) {
    one.at = Math.min(one.at, most);
    most = one.at - LATEST_STEP;
  }
  return placed;
}

const rounded = (place: number) => Math.round(place * 100) / 100;

type Placing = (of: number) => number;

function stepPath({ points }: ChartLine, across: Placing, height: Placing): string {
  return points
    .map(({ time, value }, index) =>
      index === 0 ? `M${across(time)} ${height(value)}` : `H${across(time)}V${height(value)}`,
    )
    .join('');
}

/** A mark stands at the last recorded moment before it; what is older than the line is left out. */
function marksOf({ points, marks = [] }: ChartLine, across: Placing, height: Placing) {
  return marks.flatMap(({ time, kind, token }) => {
    const point = points.findLast((one) => one.time <= time);
    if (!point) return [];
    return [
      { at: across(point.time), height: height(point.value), kind, token, key: `${time} ${kind}` },
    ];
  });
}

/** Keeps what hardly moves from looking wild: the height stands for at least so much. */
function shownRange(lines: readonly ChartLine[], scale: ChartScale) {
  const ranges = lines.map(({ points }) => {
    const values = points.map(({ value }) => value);
    return rangeAround(Math.min(...values), Math.max(...values), scale);
  });
  return {
    lowest: Math.min(...ranges.map((range) => range.lowest)),
    highest: Math.max(...ranges.map((range) => range.highest)),
  };
}

/** What the height stands for when the values lie between these. */
export function rangeAround(least: number, most: number, scale: ChartScale) {
  const middle = (least + most) / 2;
  const half = Math.max(most - least, scale.leastRange(middle)) / 2;
  return {
    lowest: Math.max(scale.lowest, middle - half),
    highest: Math.min(scale.highest, middle + half),
  };
}

/** Round values over the whole height, what is left free above and below the lines included. */
function roundValues(lowest: number, highest: number): number[] {
  const perHundredth = (highest - lowest) / (100 - MARGIN.top - MARGIN.bottom);
  const least = perHundredth * LEAST_STEP;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = (ROUND_STEPS.find((one) => one * power >= least) ?? 10) * power;
  const first = Math.ceil((lowest - perHundredth * MARGIN.bottom) / step);
  const last = Math.floor((highest + perHundredth * MARGIN.top) / step);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}
