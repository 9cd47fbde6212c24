import { findDueOrders } from '#server/domain/orders/lifecycle/dueOrders.ts';
import type { Config } from '#server/platform/config/config.ts';
import type { Database } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { createDuePoller } from './duePoller.ts';
import { listenForDue } from './listenForDue.ts';
import type { WorkPool } from './workPool.ts';

/** Poll interval without a notification: pauses end, and notifications can be lost. */
const POLL_MS = 500;

/**
 * Starts due orders, the most overdue first: after each notification, when room becomes free, and
 * at intervals. Resolves at the end of the process, when running work has ended or timed out.
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
