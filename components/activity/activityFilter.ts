import { filterHref } from '#components/ui/filterHref.ts';
import type { ActivityItem, ActivityKind } from '#lib/api/schemas/activity.ts';

export const ACTIVITY_KINDS = [
  { value: 'any', label: 'All' },
  { value: 'buy', label: 'Bought' },
  { value: 'sell', label: 'Sold' },
  { value: 'redeem', label: 'Redeemed' },
  { value: 'merge', label: 'Merged' },
  { value: 'deposit', label: 'Deposits' },
  { value: 'withdrawal', label: 'Withdrawals' },
] as const;

export const ACTIVITY_STATES = [
  { value: 'any', label: 'Any' },
  { value: 'under_way', label: 'In progress' },
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
] as const;

export const ACTIVITY_PERIODS = [
  { value: 'all', label: 'All time' },
  { value: '1', label: 'Past day' },
  { value: '7', label: 'Past week' },
  { value: '30', label: 'Past month' },
] as const;

export type ActivityFilter = {
  kind: (typeof ACTIVITY_KINDS)[number]['value'];
  status: (typeof ACTIVITY_STATES)[number]['value'];
  days: (typeof ACTIVITY_PERIODS)[number]['value'];
};

const DAY_MS = 86_400_000;

/** Start of the period, in whole hours so that the query key stays the same for a while. */
export function activitySince(days: ActivityFilter['days'], nowMs: number): string | undefined {
  if (days === 'all') return undefined;
  const hour = 3_600_000;
  return new Date(Math.floor((nowMs - Number(days) * DAY_MS) / hour) * hour).toISOString();
}

const ALL: ActivityFilter = { kind: 'any', status: 'any', days: 'all' };

export function activityHref(current: ActivityFilter, change: Partial<ActivityFilter>): string {
  return filterHref('/activity', { ...current, ...change }, ALL);
}

/** For entries that are failed or not yet done. */
const ORDER_WORDS: Partial<Record<ActivityKind, string>> = {
  buy: 'Buy',
  sell: 'Sell',
  redeem: 'Redeem',
};

const ACTIVITY_WORDS: Record<ActivityKind, string> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  buy: 'Bought',
  sell: 'Sold',
  redeem: 'Redeemed',
  merge: 'Merged',
  transfer_in: 'Received',
  transfer_out: 'Sent',
};

/** What happened, or what was to happen: "Bought", "Buy". */
export function activityVerb({
  kind,
  status,
  contracts,
}: Pick<ActivityItem, 'kind' | 'status' | 'contracts'>): string {
  const isDone = status === 'completed';
  if (kind === 'withdrawal' && contracts !== null) return isDone ? 'Withdrew' : 'Withdraw';
  return (isDone ? undefined : ORDER_WORDS[kind]) ?? ACTIVITY_WORDS[kind];
}
