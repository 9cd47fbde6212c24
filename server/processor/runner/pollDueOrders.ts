import { findDueOrders } from '#server/domain/orders/lifecycle/dueOrders.ts';
import type { Config } from '#server/platform/config/config.ts';
import type { Database } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { createDuePoller } from './duePoller.ts';
import { listenForDue } from './listenForDue.ts';
import type { WorkPool } from './workPool.ts';

/** How often a processor polls without a notification: waits end, and notifications can get lost. */
const POLL_MS = 500;

/**
 * Starts what is due, those that have waited longest first: after each notification, when there is
 * room for what was left, and every now and then. Resolves at the end of the process, when what is
 * under way has ended or its time has.
 */
export async function pollDueOrders(
  deps: {
    database: Database;
    config: Pick<Config, 'database' | 'shutdown'>;
    log: Log;
    pool: WorkPool;
  },
  signal: AbortSignal,
): Promise<void> {
  const { database, config, log, pool } = deps;
  const poll = createDuePoller({
    pool,
    find: (limit) => findDueOrders(database, limit),
    onError: (error) => log.error({ err: error }, 'polling for due orders failed'),
  });
  const timer = setInterval(poll, POLL_MS);
  await listenForDue({ databaseUrl: config.database.directUrl, onDue: poll, log }, signal);
  clearInterval(timer);
  await pool.close(config.shutdown.drainMs);
}
