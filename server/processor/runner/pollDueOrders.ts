import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { DUE_CHANNEL, findDueOrders } from '#server/domain/orders/lifecycle/dueOrders.ts';
import type { Config } from '#server/platform/config/config.ts';
import type { Database } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import type { ClaimedOrders } from './claimedOrders.ts';
import { pause } from './polling.ts';
import type { WorkPool } from './workPool.ts';

/** Poll interval without a notification: pauses end, and notifications can be lost. */
const POLL_MS = 500;

/**
 * Starts due orders, the most overdue first: after each notification, when room becomes free, and
 * at intervals. Resolves at the end of the process, when running work has ended.
 */
export async function pollDueOrders(
  deps: {
    database: Database;
    config: Pick<Config, 'database'>;
    log: Log;
    pool: WorkPool;
    claimedOrders: Pick<ClaimedOrders, 'close'>;
  },
  signal: AbortSignal,
): Promise<void> {
  const { database, config, log, pool, claimedOrders } = deps;
  const poll = createDuePoller({
    pool,
    find: (limit) => findDueOrders(database, limit),
    onError: (error) => log.error({ err: error }, 'polling for due orders failed'),
  });
  const timer = setInterval(poll, POLL_MS);
  await listenForDue({ databaseUrl: config.database.directUrl, onDue: poll, log }, signal);
  clearInterval(timer);
  await Promise.all([pool.close(), claimedOrders.close()]);
}

const RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

type Listening = {
  /** A direct connection: a transaction pooler does not forward notifications. */
  databaseUrl: string;
  onDue: () => void;
  log: Log;
};

/**
 * Calls `onDue` whenever a transaction has made orders due, over its own connection, which
 * reconnects when it breaks. The poll covers missed notifications.
 */
export async function listenForDue(options: Listening, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await listenOnce(options, signal);
    } catch (error) {
      options.log.warn({ err: error }, 'not notified of due orders; the poll finds them');
    }
    await pause(RECONNECT_MS, signal);
  }
}

/** Resolves when the connection ends. */
async function listenOnce(
  { databaseUrl, onDue, log }: Listening,
  signal: AbortSignal,
): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'crossbook-listener',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  const ended = new Promise((resolve) => client.once('end', resolve));
  const end = () => void client.end().catch(() => undefined);
  client.on('error', (error) => log.warn({ err: error }, 'the listener lost its connection'));
  client.on('notification', onDue);
  signal.addEventListener('abort', end);
  try {
    await client.connect();
    await client.query(`listen ${DUE_CHANNEL}`);
    // Earlier changes sent no notification to this connection.
    onDue();
    await ended;
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** Pause between polls: work that becomes due meanwhile is found, claimed and executed together. */
const GATHER_MS = 20;
/** The pause under load, when larger batches save more than they delay. */
const BUSY_GATHER_MS = 60;
const MUCH = 8;

/**
 * Returns a function that polls for due work and starts as much as the pool has room for. A call
 * during a poll causes another one afterwards.
 * @param options.find returns the oldest due work, up to the given limit
 * @param options.onError receives a poll's failure; the next poll finds the same work
 */
export function createDuePoller(options: {
  pool: WorkPool;
  find: (limit: number) => Promise<string[]>;
  onError: (error: unknown) => void;
  pause?: (milliseconds: number) => Promise<unknown>;
}): () => void {
  const { pool, find, onError, pause = delay } = options;
  let isWanted = false;
  let isUnderWay = false;

  async function pollWhileWanted(): Promise<void> {
    isUnderWay = true;
    try {
      while (isWanted) {
        await pool.room();
        isWanted = false;
        const limit = pool.free();
        const found = limit > 0 ? await find(limit) : [];
        for (const key of found) pool.start(key);
        await pause(found.length < MUCH ? GATHER_MS : BUSY_GATHER_MS);
        // A full result means that there may be more work.
        if (limit > 0 && found.length === limit) isWanted = true;
      }
    } catch (error) {
      onError(error);
    } finally {
      isUnderWay = false;
    }
  }

  return () => {
    isWanted = true;
    if (!isUnderWay) void pollWhileWanted();
  };
}
