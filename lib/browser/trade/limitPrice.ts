import { plainDecimal, typedMicros } from '#lib/format/decimalInput.ts';
import { type PriceRange, snapToTick } from '#lib/market/ticks.ts';
import { CENT_MICROS, MICROS, maxMicros, minMicros, tryParseMicros } from '#lib/money.ts';

/** A typed limit price, in micros of a dollar; valid only if `ok`. */
export type ParsedPrice = { state: 'empty' | 'invalid' | 'not_a_tick' | 'ok'; micros: bigint };

/** Micros of a dollar in a micro of a cent. */
const CENTS_PER_DOLLAR = MICROS / CENT_MICROS;

/** Reads "42", "41.5" or "42¢", in cents. `grid`: the prices that orders of this side may have. */
export function parsePrice(text: string, grid: readonly PriceRange[]): ParsedPrice {
  const typed = text.replace('¢', '').trim();
  if (typed === '') return { state: 'empty', micros: 0n };
  const centMicros = tryParseMicros(plainDecimal(typed));
  if (centMicros === undefined || centMicros % CENTS_PER_DOLLAR !== 0n) {
    return { state: 'invalid', micros: 0n };
  }
  const micros = centMicros / CENTS_PER_DOLLAR;
  if (micros <= 0n || micros >= MICROS) return { state: 'invalid', micros: 0n };
  const isTick = snapToTick(grid, micros, 'down') === micros;
  return { state: isTick ? 'ok' : 'not_a_tick', micros };
}

/** As `parsePrice` reads it: "41.5". */
export function typedPrice(priceMicros: bigint): string {
  return typedMicros(priceMicros * CENTS_PER_DOLLAR);
}

/** The next tick above or below; the same price at the end of the grid. */
export function stepPrice(
  priceMicros: bigint,
  grid: readonly PriceRange[],
  direction: 'up' | 'down',
): bigint {
  const beyond = direction === 'up' ? priceMicros + 1n : priceMicros - 1n;
  return snapToTick(grid, beyond, direction) ?? priceMicros;
}

const SOME_CENTS = 5n * CENT_MICROS;

/** A tick some cents above or below a price; never outside the grid. */
export function tickBeyond(
  priceMicros: bigint,
  grid: readonly PriceRange[],
  direction: 'above' | 'below',
  byMicros = SOME_CENTS,
): bigint | undefined {
  const beyond = direction === 'above' ? priceMicros + byMicros : priceMicros - byMicros;
  return nearestTick(maxMicros(1n, minMicros(beyond, MICROS - 1n)), grid);
}

/** The nearest tick below a price that need not be one; else the nearest above. */
export function nearestTick(priceMicros: bigint, grid: readonly PriceRange[]): bigint | undefined {
  return snapToTick(grid, priceMicros, 'down') ?? snapToTick(grid, priceMicros, 'up');
}
