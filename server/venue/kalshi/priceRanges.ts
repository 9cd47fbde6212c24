import type { PriceRange } from '../port.ts';
import { asList, asWire, decimalMicros, type Wire } from './wire.ts';

/** The cent grid, for payloads of before markets said which grid they have. */
const CENT_GRID: PriceRange[] = [{ startMicros: 0n, endMicros: 1_000_000n, stepMicros: 10_000n }];

/** `price_ranges` decides; the structure's name is a label. */
export function priceRangesOf(market: Wire): PriceRange[] {
  const ranges = asList(market.price_ranges).flatMap((item): PriceRange[] => {
    const wire = asWire(item);
    const startMicros = decimalMicros(wire.start);
    const endMicros = decimalMicros(wire.end);
    const stepMicros = decimalMicros(wire.step);
    if (startMicros === undefined || endMicros === undefined || !stepMicros || stepMicros < 0n)
      return [];
    return [{ startMicros, endMicros, stepMicros }];
  });
  return ranges.length > 0 ? ranges : CENT_GRID;
}
