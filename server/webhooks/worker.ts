import { setTimeout as delay } from 'node:timers/promises';
import type { Market } from '#lib/api/schemas/market.ts';
import type { Database } from '../db/client.ts';
import type { Log } from '../log.ts';
import type { MarketRecord } from '../markets/types.ts';
import { repeat } from '../process/repeat.ts';
import { attemptDelivery, claimDeliveries, MAX_PER_WEBHOOK } from './deliver.ts';
import type { RetrySchedule } from './schedule.ts';
import type { TargetPolicy } from './target.ts';
import { tellOrders } from './tellOrders.ts';
import { tellSettlements } from './tellSettlements.ts';
import { disableOfDeadKeys, forgetOldMessages } from './tidy.ts';

export type WebhookWorkerDeps = {
  database: Database;
  log: Log;
  schedule: RetrySchedule;
  policy: TargetPolicy;
  describeMarket: (market: MarketRecord) => Market;
};

const ORDERS_EVERY_MS = 500;
const SETTLEMENTS_EVERY_MS = 5_000;
const DELIVERIES_EVERY_MS = 500;
const KEYS_EVERY_MS = 30_000;
const TIDY_EVERY_MS = 10 * 60_000;

const DRAIN_MS = 2_000;

const holding = (log: Log, signal: AbortSignal) => ({
  log,
  signal,
  heldUp: 'webhooks are held up; trying again',
});

/** Attempts under way at once in one process. */
const CONCURRENCY = 24;

/**
 * Tells webhooks what happens, until the signal. Any number of processes may do so together: what
 * is told is decided under a lock, and what is sent is taken by a lease.
 */
export async function runWebhooks(deps: WebhookWorkerDeps, signal: AbortSignal): Promise<void> {
  const { database } = deps;
  const every = (ms: number, step: () => Promise<unknown>) =>
    repeat(ms, step, holding(deps.log, signal));
  await Promise.all([
    every(ORDERS_EVERY_MS, () => tellOrders(database)),
    every(SETTLEMENTS_EVERY_MS, () => tellSettlements(database, deps.describeMarket)),
    every(KEYS_EVERY_MS, () => disableOfDeadKeys(database)),
    every(TIDY_EVERY_MS, () => forgetOldMessages(database)),
    deliverDue(deps, signal),
  ]);
}

async function deliverDue(deps: WebhookWorkerDeps, signal: AbortSignal): Promise<void> {
  const underWay = new Map<Promise<void>, string>();
  const takeMore = async () => {
    for (;;) {
      const free = CONCURRENCY - underWay.size;
      const claimed = await claimDeliveries(deps.database, free, busyOf(underWay));
      for (const one of claimed) {
        const sending: Promise<void> = attemptDelivery(deps, one)
          .catch((err: unknown) => deps.log.error({ err }, 'a webhook attempt was not recorded'))
          .finally(() => underWay.delete(sending));
        underWay.set(sending, one.webhook.id);
      }
      if (claimed.length === 0 || signal.aborted) return;
      if (underWay.size >= CONCURRENCY) await Promise.race(underWay.keys());
    }
  };
  await repeat(DELIVERIES_EVERY_MS, takeMore, holding(deps.log, signal));
  // What has not ended by then is sent again by another process.
  await Promise.race([Promise.all(underWay.keys()), delay(DRAIN_MS)]);
}

function busyOf(underWay: ReadonlyMap<unknown, string>): string[] {
  const counts = new Map<string, number>();
  for (const id of underWay.values()) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= MAX_PER_WEBHOOK).map(([id]) => id);
}
