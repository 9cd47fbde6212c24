import { sql } from 'drizzle-orm';
import { fromDrizzle, PgBoss } from 'pg-boss';
import type { Queryable } from '../db/client.ts';
import type { Log } from '../log.ts';
import { createWorkPool, type WorkPool } from './workPool.ts';

const ORDERS_QUEUE = 'orders';

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

/** The durable queue of intents that want attention. The rows stay the truth; a job may run twice. */
export type OrderQueue = {
  /** Says, within the caller's transaction, that intents want attention. */
  enqueue(db: Queryable, ...orderIds: string[]): Promise<void>;
  /**
   * Hands every intent to `handler`, up to `concurrency` at a time and one only once at a time. Its
   * job is done when the work begins: what is left undone the sweeper finds.
   */
  work(
    options: { concurrency: number },
    handler: (orderId: string) => Promise<void>,
  ): Promise<void>;
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
  const closing: WorkPool[] = [];
  return {
    async enqueue(db, ...orderIds) {
      if (orderIds.length === 0) return;
      const jobs = orderIds.map((orderId) => ({ data: { orderId }, singletonKey: orderId }));
      await boss.insert(ORDERS_QUEUE, jobs, { db: fromDrizzle(db, sql) });
    },
    async work({ concurrency }, handler) {
      const pool = createWorkPool({ concurrency, handler });
      closing.push(pool);
      await boss.work<{ orderId: string }>(
        ORDERS_QUEUE,
        {
          // One who fetches for all: every worker of pg-boss asks for itself when a job comes.
          localConcurrency: 1,
          batchSize: concurrency,
          burstWhenBatchFull: true,
          pollingIntervalSeconds: 0.5,
          notifyPollingIntervalSeconds: 1,
          heartbeatRefreshSeconds: HEARTBEAT_SECONDS / 2,
        },
        async (jobs) => {
          for (const job of jobs) pool.start(job.data.orderId);
          await pool.room();
        },
      );
    },
    async close(timeoutMs) {
      const pools = closing.map((pool) => pool.close(timeoutMs));
      await boss.stop({ graceful: true, timeout: timeoutMs });
      await Promise.all(pools);
    },
  };
}
