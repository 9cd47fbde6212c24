import { takeTurn } from '#server/platform/database/turns.ts';
import type { Log } from '#server/platform/log.ts';
import { repeat } from '#server/platform/process/repeat.ts';
import { deleteOldNotifications } from './outbox.ts';
import { endAlertsOfClosedMarkets } from './priceAlerts/alertTriggers.ts';
import { deleteOldPriceAlerts } from './priceAlerts/priceAlerts.ts';
import { publishOrders } from './publishOrders.ts';
import { publishSettlements, type SettlementDeps } from './publishSettlements.ts';
import { disableWebhooksOfInactiveKeys } from './webhooks/manageWebhooks.ts';

const ORDERS_EVERY_MS = 500;
const ORDERS_TURN_MS = 400;
const SETTLEMENTS_EVERY_MS = 5_000;
const KEYS_EVERY_MS = 30_000;
const ALERTS_EVERY_MS = 60_000;
const RETENTION_EVERY_MS = 10 * 60_000;

/**
 * Stores the messages for webhooks and browsers until the signal; `server/notifier` sends them.
 * Safe in any number of processes: each step takes a lock. The frequent one takes turns too, because
 * each process would find the lock free at another moment.
 */
export async function runPublisher(
  deps: SettlementDeps & { log: Log },
  signal: AbortSignal,
): Promise<void> {
  const { database, log } = deps;
  const every = (ms: number, step: () => Promise<unknown>) =>
    repeat(ms, step, { log, signal, heldUp: 'notifications are delayed; retrying' });
  await Promise.all([
    every(ORDERS_EVERY_MS, async () => {
      if (await takeTurn(database.orm, 'publish orders', ORDERS_TURN_MS)) {
        await publishOrders(database);
      }
    }),
    every(SETTLEMENTS_EVERY_MS, () => publishSettlements(deps)),
    every(KEYS_EVERY_MS, () => disableWebhooksOfInactiveKeys(database)),
    every(ALERTS_EVERY_MS, () => endAlertsOfClosedMarkets(database)),
    every(RETENTION_EVERY_MS, () => deleteOldNotifications(database)),
    every(RETENTION_EVERY_MS, () => deleteOldPriceAlerts(database)),
  ]);
}
