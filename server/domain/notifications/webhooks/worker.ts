import type { Market } from '#lib/api/schemas/market.ts';
import type { Database } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { repeat } from '#server/platform/process/repeat.ts';
import type { MarketRecord } from '../../markets/catalogue/types.ts';
import { publishOrders } from './publishOrders.ts';
import { publishSettlements } from './publishSettlements.ts';
import { deleteOldMessages, disableOfDeadKeys } from './retention.ts';

export type WebhookWorkerDeps = {
  database: Database;
  log: Log;
  describeMarket: (market: MarketRecord) => Market;
};

const ORDERS_EVERY_MS = 500;
const SETTLEMENTS_EVERY_MS = 5_000;
const KEYS_EVERY_MS = 30_000;
const RETENTION_EVERY_MS = 10 * 60_000;

/**
 * Makes the messages for webhooks of what happens, until the signal; `server/notifier` sends
 * them. Any number of processes may do so together: what is made is decided under a lock.
 */
export async function runWebhooks(deps: WebhookWorkerDeps, signal: AbortSignal): Promise<void> {
  const { database, log } = deps;
  const every = (ms: number, step: () => Promise<unknown>) =>
    repeat(ms, step, { log, signal, heldUp: 'webhooks are delayed; retrying' });
  await Promise.all([
    every(ORDERS_EVERY_MS, () => publishOrders(database)),
    every(SETTLEMENTS_EVERY_MS, () => publishSettlements(database, deps.describeMarket)),
    every(KEYS_EVERY_MS, () => disableOfDeadKeys(database)),
    every(RETENTION_EVERY_MS, () => deleteOldMessages(database)),
  ]);
}
