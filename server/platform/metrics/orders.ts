import { counter, histogram } from './registry.ts';

/** What processors do with orders. */

const steps = histogram(
  'crossbook_order_step_seconds',
  'Steps of orders, including waits, by stage and outcome.',
  ['stage', 'outcome'],
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
);
const ended = counter(
  'crossbook_orders_ended_total',
  'Orders that ended in this process, by kind and reason.',
  ['kind', 'status', 'reason'],
);
const lifetimes = histogram(
  'crossbook_order_life_seconds',
  'Time from accepting an order to its end.',
  ['kind', 'status'],
  [0.5, 1, 2, 3, 5, 8, 13, 30, 60, 300, 1800, 86400],
);
const transactions = histogram(
  'crossbook_chain_transaction_seconds',
  'Operations sent to the chain, from being signed to being confirmed.',
  ['kind', 'outcome'],
  [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 300],
);
const notifications = counter(
  'crossbook_notification_attempts_total',
  'Messages sent to webhooks and browsers, by channel.',
  ['channel', 'outcome'],
);

export type StepOutcome = 'moved' | 'parked' | 'given_back' | 'ended' | 'failed' | 'lease_lost';

export function observeStep(stage: string, outcome: StepOutcome, seconds: number): void {
  steps.observe({ stage, outcome }, seconds);
}

/** `terminationReason` is one of the published reasons, or null. */
export function observeEnd(
  order: { kind: string; status: string; terminationReason: string | null; createdAt: Date },
  now = Date.now(),
): void {
  const { kind, status, terminationReason } = order;
  ended.inc({ kind, status, reason: terminationReason ?? 'none' });
  lifetimes.observe({ kind, status }, Math.max(0, now - order.createdAt.getTime()) / 1000);
}

export function observeTransaction(kind: string, outcome: string, seconds: number): void {
  transactions.observe({ kind, outcome }, seconds);
}

export function countNotificationAttempt(
  channel: 'webhook' | 'push',
  outcome: 'delivered' | 'failed',
): void {
  notifications.inc({ channel, outcome });
}
