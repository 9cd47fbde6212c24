import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { fromDrizzle, PgBoss } from 'pg-boss';
import type { Queryable } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { createDuePoller, GATHER_MS } from './duePoller.ts';
import type { WorkPool } from './workPool.ts';

const ORDERS_QUEUE = 'orders';

/** How often a processor looks without having been told: hints can get lost, and waits end. */
const LOOK_MS = 500;

/** Jobs all say the same, so that any number of them is one look. */
const JOBS_AT_ONCE = 64;

/** How long a processor may be silent before its job is handed to another. */
const HEARTBEAT_SECONDS = 10;

const QUEUE_OPTIONS = {
  policy: 'short',
  notify: true,
  retryLimit: 20,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: 900,
  deleteAfterSeconds: 3_600,
} as const;

/**
 * Tells processors that intents are due. The rows are the queue: a job says that there is something
 * to look for, not what, so one tells of any number of intents.
 */
export type OrderQueue = {
  /** Says, within the caller's transaction, that these intents are due. */
  enqueue(db: Queryable, ...orderIds: string[]): Promise<void>;
  /**
   * Hands what `findDue` answers, the oldest first, to the pool. It looks when it is told to, when
   * there is room for what was left, and now and then by itself. The pool is closed with the queue.
   */
  work(options: { pool: WorkPool; findDue: (limit: number) => Promise<string[]> }): Promise<void>;
  /** Waits for running handlers, at most `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
};

/**
 * Makes the queue's own tables and the queue, or brings them up to date; needs the owner of the
 * database. Safe to repeat, and to run beside processes at work.
 */
export async function prepareOrderQueue(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'crossbook-migrate',
    max: 1,
    supervise: false,
    schedule: false,
    migrate: true,
    useListenNotify: false,
  });
  const failures: unknown[] = [];
  boss.on('error', (error) => failures.push(error));
  try {
    await boss.start();
    await boss.createQueue(ORDERS_QUEUE, QUEUE_OPTIONS);
  } finally {
    await boss.stop({ graceful: false });
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Connects to pg-boss, whose tables must be there. The processor maintains the queue (`maintain`); the web server only sends.
 */
export async function openOrderQueue(options: {
  databaseUrl: string;
  log: Log;
  maintain: boolean;
}): Promise<OrderQueue> {
  const boss = new PgBoss({
    connectionString: options.databaseUrl,
    application_name: 'crossbook-queue',
    max: options.maintain ? 4 : 2,
    supervise: options.maintain,
    schedule: false,
    migrate: false,
    useListenNotify: options.maintain,
  });
  boss.on('error', (error) => options.log.error({ err: error }, 'queue error'));
  await boss.start();
  const closing: (() => WorkPool)[] = [];
  return {
    async enqueue(db, ...orderIds) {
      const [orderId] = orderIds;
      if (orderId === undefined) return;
      // Processors of the release before carry the one that is named, and find the others later.
      const job = { data: { orderId }, singletonKey: randomUUID() };
      await boss.insert(ORDERS_QUEUE, [job], { db: fromDrizzle(db, sql) });
    },
    async work({ pool, findDue }) {
      const look = createDuePoller({
        pool,
        find: findDue,
        onError: (error) => options.log.error({ err: error }, 'polling for due intents failed'),
      });
      const timer = setInterval(look, LOOK_MS);
      closing.push(() => {
        clearInterval(timer);
        return pool;
      });
      await boss.work(
        ORDERS_QUEUE,
        {
          // One who fetches for all: every worker of pg-boss asks for itself when a job comes.
          localConcurrency: 1,
          batchSize: JOBS_AT_ONCE,
          pollingIntervalSeconds: 0.5,
          notifyPollingIntervalSeconds: 1,
          heartbeatRefreshSeconds: HEARTBEAT_SECONDS / 2,
        },
        async () => {
          look();
          // Who is busy leaves the telling to others; jobs that come meanwhile are fetched together.
          await Promise.all([pool.room(), delay(GATHER_MS)]);
        },
      );
    },
    async close(timeoutMs) {
      const pools = closing.map((stop) => stop().close(timeoutMs));
      await boss.stop({ graceful: true, timeout: timeoutMs });
      await Promise.all(pools);
    },
  };
}
