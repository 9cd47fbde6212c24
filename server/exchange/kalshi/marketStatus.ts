import type { MarketStatus } from '../port.ts';

/**
 * The exchange's statuses in ours. `determined` is not the end: until `finalized` it can be
 * disputed and amended, and nothing is paid.
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
 * Our status at a moment. Opening and closing by the clock are announced by nobody, so the times
 * count as much as the word; a word not known yet means that nothing is traded.
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
