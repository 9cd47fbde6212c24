import type { TradeSide } from './quote.ts';

/** A price that the visitor chose in a book. */
export type PickedPrice = { ticker: string; side: TradeSide; priceMicros: bigint };

type Listener = (picked: PickedPrice) => void;

const listeners = new Set<Listener>();

/** Passes the price to the ticket of its market, wherever it is on the page. */
export function pickPrice(picked: PickedPrice): void {
  for (const listener of listeners) listener(picked);
}

/** Returns the unsubscribe function. */
export function followPickedPrice(ticker: string, onPick: Listener): () => void {
  const listener: Listener = (picked) => {
    if (picked.ticker === ticker) onPick(picked);
  };
  listeners.add(listener);
  return () => listeners.delete(listener);
}
