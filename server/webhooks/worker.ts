import type { Market } from '#lib/api/schemas/market.ts';
import type { Database } from '../db/client.ts';
import type { Log } from '../log.ts';
import type { MarketRecord } from '../markets/types.ts';
import { repeat } from '../process/repeat.ts';
import { tellOrders } from './tellOrders.ts';
import { tellSettlements } from './tellSettlements.ts';
import { disableOfDeadKeys, forgetOldMessages } from './tidy.ts';

export type WebhookWorkerDeps = {
  database: Database;
  log: Log;
  describeMarket: (market: MarketRecord) => Market;
};

const ORDERS_EVERY_MS = 500;
const SETTLEMENTS_EVERY_MS = 5_000;
const KEYS_EVERY_MS = 30_000;
const TIDY_EVERY_MS = 10 * 60_000;

/**
 * Makes the messages for webhooks of what happens, until the signal; `server/notifications` sends
 * them. Any number of processes may do so together: what is made is decided under a lock.
 */
export async function runWebhooks(deps: WebhookWorkerDeps, signal: AbortSignal): Promise<void> {
  const { database, log } = deps;
  const every = (ms: number, step: () => Promise<unknown>) =>
    repeat(ms, step, { log, signal, heldUp: 'webhooks are delayed; retrying' });
  await Promise.all([
    every(ORDERS_EVERY_MS, () => tellOrders(database)),
    every(SETTLEMENTS_EVERY_MS, () => tellSettlements(database, deps.describeMarket)),
    every(KEYS_EVERY_MS, () => disableOfDeadKeys(database)),
    every(TIDY_EVERY_MS, () => forgetOldMessages(database)),
  ]);
}
