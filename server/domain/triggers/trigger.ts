import { MICROS } from '#lib/money.ts';
import type { OrderBook, OutcomeSide } from '#server/exchange/port.ts';

export type TriggerDirection = 'above' | 'below';
export type TriggerPriceSource = 'bid' | 'ask' | 'last';

/** A price of one outcome that something waits for, in micro-dollars per contract. */
export type Trigger = {
  ticker: string;
  side: OutcomeSide;
  priceMicros: bigint;
  direction: TriggerDirection;
  source: TriggerPriceSource;
};

/** The prices of a market at one moment; the last price is of a Yes contract. */
export type MarketPrices = { book: OrderBook; lastYesPriceMicros: bigint | undefined };

/** The price that a trigger watches; undefined where the market has none. */
export function watchedPriceMicros(
  { side, source }: Pick<Trigger, 'side' | 'source'>,
  { book, lastYesPriceMicros }: MarketPrices,
): bigint | undefined {
  if (source === 'last') {
    if (lastYesPriceMicros === undefined) return undefined;
    return side === 'yes' ? lastYesPriceMicros : MICROS - lastYesPriceMicros;
  }
  const [own, other] = side === 'yes' ? [book.yesBids, book.noBids] : [book.noBids, book.yesBids];
  if (source === 'bid') return own[0]?.priceMicros;
  // An offer of one side is a bid of the other.
  const best = other[0]?.priceMicros;
  return best === undefined ? undefined : MICROS - best;
}
