import { MICROS } from '#lib/money.ts';
import type { OutcomeSide, TradeAction } from '../port.ts';

/** A position on the exchange's single book, in Yes terms. */
export type BookPlace = { bookSide: 'bid' | 'ask'; yesPriceMicros: bigint };

const BOOK_SIDE = {
  buy: { yes: 'bid', no: 'ask' },
  sell: { yes: 'ask', no: 'bid' },
} as const satisfies Record<TradeAction, Record<OutcomeSide, 'bid' | 'ask'>>;

/** Buying No at q is selling Yes at 1 - q, and selling No at q is buying Yes at 1 - q. */
export function toBook(action: TradeAction, side: OutcomeSide, priceMicros: bigint): BookPlace {
  return {
    bookSide: BOOK_SIDE[action][side],
    yesPriceMicros: side === 'yes' ? priceMicros : MICROS - priceMicros,
  };
}

/** Converts a Yes price to a side's price. */
export function priceOfSide(side: OutcomeSide, yesPriceMicros: bigint): bigint {
  return side === 'yes' ? yesPriceMicros : MICROS - yesPriceMicros;
}
