import { divide, MICROS } from '#lib/money.ts';

/** A price range [startMicros, endMicros] with ticks of stepMicros. */
export type PriceRange = { startMicros: bigint; endMicros: bigint; stepMicros: bigint };

/**
 * The nearest valid order price at or below (`down`) or at or above (`up`) the given one. 0 and a
 * dollar are not valid prices. Undefined when there is no valid price in that direction. Uses the
 * ranges, never the name of a structure: they can change while a market is open.
 */
export function snapToTick(
  ranges: readonly PriceRange[],
  priceMicros: bigint,
  direction: 'down' | 'up',
): bigint | undefined {
  let best: bigint | undefined;
  for (const range of ranges) {
    const price = snapWithin(range, priceMicros, direction);
    if (price === undefined || price <= 0n || price >= MICROS) continue;
    const better = best === undefined || (direction === 'down' ? price > best : price < best);
    if (better) best = price;
  }
  return best;
}

function snapWithin(
  range: PriceRange,
  priceMicros: bigint,
  direction: 'down' | 'up',
): bigint | undefined {
  const { startMicros, endMicros, stepMicros } = range;
  const lowest = startMicros > 0n ? startMicros : startMicros + stepMicros;
  const steps = divide(endMicros - startMicros, stepMicros, 'down');
  const end = startMicros + steps * stepMicros;
  const highest = end < MICROS ? end : end - stepMicros;
  if (direction === 'down') {
    if (priceMicros < lowest) return undefined;
    if (priceMicros >= highest) return highest;
  } else {
    if (priceMicros > highest) return undefined;
    if (priceMicros <= lowest) return lowest;
  }
  return startMicros + divide(priceMicros - startMicros, stepMicros, direction) * stepMicros;
}

/** Converts the ranges to prices of one side: a No price is a dollar minus the Yes price. */
export function sideRanges(ranges: readonly PriceRange[], side: 'yes' | 'no'): PriceRange[] {
  if (side === 'yes') return [...ranges];
  return ranges.map(({ startMicros, endMicros, stepMicros }) => ({
    startMicros: MICROS - endMicros,
    endMicros: MICROS - startMicros,
    stepMicros,
  }));
}
