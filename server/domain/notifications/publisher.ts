import type { Log } from '#server/platform/log.ts';
import { repeat } from '#server/platform/process/repeat.ts';
import { publishOrders } from './publishOrders.ts';
import { publishSettlements, type SettlementDeps } from './publishSettlements.ts';
import { deleteOldNotifications } from './retention.ts';
import { disableWebhooksOfDeadKeys } from './webhooks/disableWebhooks.ts';

const ORDERS_EVERY_MS = 500;
const SETTLEMENTS_EVERY_MS = 5_000;
const KEYS_EVERY_MS = 30_000;
const RETENTION_EVERY_MS = 10 * 60_000;

/**
 * Makes the messages for webhooks and browsers, until the signal; `server/notifier` sends them. Any
 * number of processes may do so together: what is made is decided under a lock.
 */
export async function runPublisher(
  deps: SettlementDeps & { log: Log },
  signal: AbortSignal,
): Promise<void> {
  const { database, log } = deps;
  const every = (ms: number, step: () => Promise<unknown>) =>
    repeat(ms, step, { log, signal, heldUp: 'notifications are delayed; retrying' });
  await Promise.all([
    every(ORDERS_EVERY_MS, () => publishOrders(database)),
    every(SETTLEMENTS_EVERY_MS, () => publishSettlements(deps)),
    every(KEYS_EVERY_MS, () => disableWebhooksOfDeadKeys(database)),
    every(RETENTION_EVERY_MS, () => deleteOldNotifications(database)),
  ]);
}
