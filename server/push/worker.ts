import { setTimeout as delay } from 'node:timers/promises';
import type { Chain } from '../chain/client.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/client.ts';
import type { Log } from '../log.ts';
import { repeat } from '../process/repeat.ts';
import { attemptPush, claimNotifications, PUSH_SCHEDULE, type PushDeliverDeps } from './deliver.ts';
import { tellOrders } from './tellOrders.ts';
import { settlementTeller } from './tellSettlements.ts';
import { tidyNotifications } from './tidy.ts';
import { openVapidSigner } from './vapid.ts';

export type PushWorkerDeps = {
  database: Database;
  log: Log;
  chain: Chain;
  exchange: string;
  config: Pick<Config, 'push' | 'chain'>;
};

const ORDERS_EVERY_MS = 500;
const SETTLEMENTS_EVERY_MS = 5_000;
const DELIVERIES_EVERY_MS = 500;
const TIDY_EVERY_MS = 10 * 60_000;

const DRAIN_MS = 2_000;

/** Attempts under way at once in one process. */
const CONCURRENCY = 24;

/**
 * Notifies browsers of what happens, until the signal; without a key it does nothing. Any number
 * of processes may do so together: what is told is stored once, and what is sent is taken by a
 * lease.
 */
export async function runPush(deps: PushWorkerDeps, signal: AbortSignal): Promise<void> {
  const { database, log, config } = deps;
  if (!config.push.sender) return;
  const signer = await openVapidSigner(config.push.sender);
  const policy = { allowLocal: config.chain.sandbox };
  const every = (ms: number, step: () => Promise<unknown>) =>
    repeat(ms, step, { log, signal, heldUp: 'notifications are held up; trying again' });
  const sending = new Set<Promise<void>>();
  await Promise.all([
    every(ORDERS_EVERY_MS, () => tellOrders(database)),
    every(SETTLEMENTS_EVERY_MS, settlementTeller(deps)),
    every(TIDY_EVERY_MS, () => tidyNotifications(database)),
    every(DELIVERIES_EVERY_MS, () =>
      sendDue({ database, log, signer, policy, schedule: PUSH_SCHEDULE }, sending, signal),
    ),
  ]);
  // What has not ended by then is sent again by another process.
  await Promise.race([Promise.all(sending), delay(DRAIN_MS)]);
}

/** Sends what is due until nothing is, so many at once that a slow service holds up few others. */
async function sendDue(
  deps: PushDeliverDeps & { log: Log },
  sending: Set<Promise<void>>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const free = CONCURRENCY - sending.size;
    const claimed = free > 0 ? await claimNotifications(deps.database, free) : [];
    for (const one of claimed) {
      const attempt: Promise<void> = attemptPush(deps, one)
        .catch((err: unknown) => deps.log.error({ err }, 'a notification was not recorded'))
        .finally(() => sending.delete(attempt));
      sending.add(attempt);
    }
    if (claimed.length === 0) return;
    if (sending.size >= CONCURRENCY) await Promise.race(sending);
  }
}
