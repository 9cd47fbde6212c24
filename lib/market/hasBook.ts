import type { MarketStatus } from '../api/schemas/market.ts';

/** Whether anybody can offer or bid; a market that has ended has no book. */
export function hasBook(status: MarketStatus): boolean {
  return status === 'open' || status === 'paused';
}
