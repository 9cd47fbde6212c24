import type { PriceRange } from '#lib/market/ticks.ts';
import { MICROS } from '#lib/money.ts';
import { asList, asWire, decimalMicros, type Wire } from './wire.ts';

/**
 * The cent grid, for payloads without a grid and for unreadable grids: whole cents are valid on
 * every grid.
 */
const CENT_GRID: PriceRange[] = [{ startMicros: 0n, endMicros: MICROS, stepMicros: 10_000n }];

/** Uses `price_ranges`; the structure's name is only a label. */
export function priceRangesOf(market: Wire): PriceRange[] {
  const given = asList(market.price_ranges);
  const ranges = given.flatMap((item) => readRange(asWire(item)) ?? []);
  return given.length > 0 && ranges.length === given.length ? ranges : CENT_GRID;
}

function readRange(wire: Wire): PriceRange | undefined {
  const startMicros = decimalMicros(wire.start);
  const endMicros = decimalMicros(wire.end);
  const stepMicros = decimalMicros(wire.step);
  if (startMicros === undefined || endMicros === undefined || !stepMicros) return undefined;
  const isSound =
    startMicros >= 0n &&
    endMicros <= MICROS &&
    stepMicros > 0n &&
    stepMicros <= endMicros - startMicros;
  return isSound ? { startMicros, endMicros, stepMicros } : undefined;
}
