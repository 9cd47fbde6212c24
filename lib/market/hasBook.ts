import type { MarketStatus } from '../api/schemas/market.ts';

/** Whether the market accepts orders; an ended market has no book. */
export function hasBook(status: MarketStatus): boolean {
  return status === 'open' || status === 'paused';
}
