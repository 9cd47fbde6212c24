import type { Chain } from '#server/chain/client.ts';
import type { Database } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { repeat } from '#server/platform/process/repeat.ts';
import { publishOrders } from './publishOrders.ts';
import { settlementPublisher } from './publishSettlements.ts';
import { deletePastNotifications } from './retention.ts';

export type PushWorkerDeps = { database: Database; log: Log; chain: Chain; exchange: string };

const ORDERS_EVERY_MS = 500;
const SETTLEMENTS_EVERY_MS = 5_000;
const RETENTION_EVERY_MS = 10 * 60_000;

/**
 * Makes the notifications for browsers of what happens, until the signal; `server/notifier`
 * sends them. Any number of processes may do so together: what is made is stored once.
 */
export async function runPush(deps: PushWorkerDeps, signal: AbortSignal): Promise<void> {
  const { database, log } = deps;
  const every = (ms: number, step: () => Promise<unknown>) =>
    repeat(ms, step, { log, signal, heldUp: 'notifications are delayed; retrying' });
  await Promise.all([
    every(ORDERS_EVERY_MS, () => publishOrders(database)),
    every(SETTLEMENTS_EVERY_MS, settlementPublisher(deps)),
    every(RETENTION_EVERY_MS, () => deletePastNotifications(database)),
  ]);
}
