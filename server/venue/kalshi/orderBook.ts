import type { BookLevel, OrderBook } from '../port.ts';
import { asList, asWire, decimalMicros, type Wire } from './wire.ts';

/**
 * Reads an order book: bids of both sides. Sides may be lists, null or absent; levels come lowest
 * first on the wire and are sorted here whatever order they have. Books of before March 2026 have
 * cents and whole counts under `orderbook.{yes,no}`.
 */
export function readOrderBook(ticker: string, body: Wire): OrderBook {
  const exact = asWire(body.orderbook_fp);
  const older = asWire(body.orderbook);
  const side = (name: 'yes' | 'no'): BookLevel[] => {
    const dollars = exact[`${name}_dollars`] ?? older[`${name}_dollars`];
    if (dollars !== undefined && dollars !== null) return levels(dollars, 1n);
    return levels(older[name], 100n);
  };
  return { ticker, yesBids: side('yes'), noBids: side('no') };
}

/** Levels as pairs of price and count; `divisor` turns cents into dollars. */
export function levels(value: unknown, divisor: bigint): BookLevel[] {
  const merged = new Map<bigint, bigint>();
  for (const item of asList(value)) {
    const [price, count] = asList(item);
    const priceMicros = decimalMicros(price);
    const contractMicros = decimalMicros(count);
    if (priceMicros === undefined || contractMicros === undefined || contractMicros <= 0n) continue;
    const at = priceMicros / divisor;
    if (at <= 0n || at >= 1_000_000n) continue;
    merged.set(at, (merged.get(at) ?? 0n) + contractMicros);
  }
  return [...merged]
    .map(([priceMicros, contractMicros]) => ({ priceMicros, contractMicros }))
    .sort((a, b) => (a.priceMicros > b.priceMicros ? -1 : 1));
}
