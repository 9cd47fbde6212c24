import type { MarketStatus } from '../port.ts';

/**
 * Maps the exchange's statuses to ours. `determined` is not final: until `finalized` the result can
 * be disputed and amended, and nothing is paid.
 */
const STATUS = new Map<string, MarketStatus>(
  Object.entries({
    initialized: 'unopened',
    unopened: 'unopened',
    active: 'open',
    open: 'open',
    inactive: 'paused',
    paused: 'paused',
    closed: 'closed',
    determined: 'closed',
    disputed: 'closed',
    amended: 'closed',
    finalized: 'settled',
    settled: 'settled',
  }),
);

/**
 * Our status at a given time. Opening and closing by the clock are not announced, so the times
 * count as much as the status; an unknown status means no trading.
 */
export function marketStatusOf(
  exchangeStatus: string,
  times: { openAt: Date | undefined; closeAt: Date | undefined },
  now: Date,
): MarketStatus {
  const status = STATUS.get(exchangeStatus.trim().toLowerCase()) ?? 'closed';
  if ((status === 'open' || status === 'paused') && times.closeAt && times.closeAt <= now) {
    return 'closed';
  }
  return status;
}
