import type { Chain } from '../chain/client.ts';
import type { Database } from '../db/client.ts';
import type { Log } from '../log.ts';
import { repeat } from '../process/repeat.ts';
import { tellOrders } from './tellOrders.ts';
import { settlementTeller } from './tellSettlements.ts';
import { tidyNotifications } from './tidy.ts';

export type PushWorkerDeps = { database: Database; log: Log; chain: Chain; exchange: string };

const ORDERS_EVERY_MS = 500;
const SETTLEMENTS_EVERY_MS = 5_000;
const TIDY_EVERY_MS = 10 * 60_000;

/**
 * Makes the notifications for browsers of what happens, until the signal; `server/notifications`
 * sends them. Any number of processes may do so together: what is made is stored once.
 */
export async function runPush(deps: PushWorkerDeps, signal: AbortSignal): Promise<void> {
  const { database, log } = deps;
  const every = (ms: number, step: () => Promise<unknown>) =>
    repeat(ms, step, { log, signal, heldUp: 'notifications are delayed; retrying' });
  await Promise.all([
    every(ORDERS_EVERY_MS, () => tellOrders(database)),
    every(SETTLEMENTS_EVERY_MS, settlementTeller(deps)),
    every(TIDY_EVERY_MS, () => tidyNotifications(database)),
  ]);
}
