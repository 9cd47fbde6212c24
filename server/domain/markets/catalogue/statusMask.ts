import type { MarketStatus } from '#server/exchange/port.ts';

/** The statuses of an event's markets as a bit mask. */
export const MARKET_STATUSES = ['unopened', 'open', 'paused', 'closed', 'settled'] as const;

export function statusBit(status: MarketStatus): number {
  return 1 << MARKET_STATUSES.indexOf(status);
}

export function statusMaskOf(statuses: readonly MarketStatus[]): number {
  return statuses.reduce((mask, status) => mask | statusBit(status), 0);
}
