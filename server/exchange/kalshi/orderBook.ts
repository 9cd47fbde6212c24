import { MICROS } from '#lib/money.ts';
import type { BookLevel, OrderBook, OutcomeSide } from '../port.ts';
import {
  asList,
  asWire,
  bareMicros,
  decimalMicros,
  priceMicros,
  signedCountMicros,
  text,
  type Wire,
} from './wire.ts';

/**
 * Parses an order book: bids of both sides. Sides may be lists, null or absent; levels are sorted
 * here, since the wire has the lowest first. Books from before March 2026 have cents and whole
 * counts under `orderbook.{yes,no}`. Unreadable levels are skipped: a quote then finds fewer
 * contracts than there are, never more.
 */
export function readOrderBook(ticker: string, body: Wire): OrderBook {
  const exact = asWire(body.orderbook_fp);
  const older = asWire(body.orderbook);
  const side = (name: 'yes' | 'no'): BookLevel[] => {
    const dollars = exact[`${name}_dollars`] ?? older[`${name}_dollars`];
    if (Array.isArray(dollars)) return levels(dollars, decimalMicros);
    return levels(older[name], bareMicros);
  };
  return { ticker, yesBids: side('yes'), noBids: side('no') };
}

/** The book in a snapshot of the feed, whose prices are all of yes. */
export function readBookSnapshot(ticker: string, msg: Wire): OrderBook {
  const ofNo = (price: unknown) => complementOf(decimalMicros(price));
  return {
    ticker,
    yesBids: levels(msg.yes_dollars_fp ?? msg.yes_dollars, decimalMicros),
    noBids: levels(msg.no_dollars_fp ?? msg.no_dollars, ofNo),
  };
}

/** A change of one level on the feed. */
export type LevelDelta = { side: OutcomeSide; priceMicros: bigint; contractMicros: bigint };

/** Undefined when it cannot be read. */
export function readLevelDelta(msg: Wire): LevelDelta | undefined {
  const side = text(msg, 'side');
  const yesPrice = priceMicros(msg, 'price');
  const contractMicros = signedCountMicros(msg, 'delta');
  if (yesPrice === undefined || contractMicros === undefined) return undefined;
  if (yesPrice <= 0n || yesPrice >= MICROS) return undefined;
  if (side === 'yes') return { side, priceMicros: yesPrice, contractMicros };
  return side === 'no' ? { side, priceMicros: MICROS - yesPrice, contractMicros } : undefined;
}

function complementOf(micros: bigint | undefined): bigint | undefined {
  return micros === undefined ? undefined : MICROS - micros;
}

function levels(value: unknown, readPrice: (price: unknown) => bigint | undefined): BookLevel[] {
  const merged = new Map<bigint, bigint>();
  for (const item of asList(value)) {
    const [price, count] = asList(item);
    const at = readPrice(price);
    const contractMicros = decimalMicros(count);
    if (at === undefined || contractMicros === undefined || contractMicros <= 0n) continue;
    if (at <= 0n || at >= MICROS) continue;
    merged.set(at, (merged.get(at) ?? 0n) + contractMicros);
  }
  return [...merged]
    .map(([priceMicros, contractMicros]) => ({ priceMicros, contractMicros }))
    .sort((a, b) => (a.priceMicros > b.priceMicros ? -1 : 1));
}
