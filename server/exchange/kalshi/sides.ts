import { MICROS } from '#lib/money.ts';
import type { OutcomeSide, TradeAction } from '../port.ts';

/** A place on the one book the exchange has, which is in YES terms. */
export type BookPlace = { bookSide: 'bid' | 'ask'; yesPriceMicros: bigint };

const BOOK_SIDE = {
  buy: { yes: 'bid', no: 'ask' },
  sell: { yes: 'ask', no: 'bid' },
} as const satisfies Record<TradeAction, Record<OutcomeSide, 'bid' | 'ask'>>;

/** Buying NO at q is selling YES at 1 - q, and selling NO at q is buying YES at 1 - q. */
export function toBook(action: TradeAction, side: OutcomeSide, priceMicros: bigint): BookPlace {
  return {
    bookSide: BOOK_SIDE[action][side],
    yesPriceMicros: side === 'yes' ? priceMicros : MICROS - priceMicros,
  };
}

/** A YES price as the price of a side. */
export function priceOfSide(side: OutcomeSide, yesPriceMicros: bigint): bigint {
  return side === 'yes' ? yesPriceMicros : MICROS - yesPriceMicros;
}
