import { sql } from 'drizzle-orm';
import { fromDrizzle, PgBoss } from 'pg-boss';
import type { Queryable } from '../db/client.ts';
import type { Log } from '../log.ts';

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
  /** Says, within the caller's transaction, that an intent wants attention. */
  enqueue(db: Queryable, orderId: string): Promise<void>;
  /** Hands every job to `handler`, up to `concurrency` at a time. */
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
  return {
    async enqueue(db, orderId) {
      await boss.send(
        ORDERS_QUEUE,
        { orderId },
        { singletonKey: orderId, db: fromDrizzle(db, sql) },
      );
    },
    async work({ concurrency }, handler) {
      await boss.work<{ orderId: string }>(
        ORDERS_QUEUE,
        {
          localConcurrency: concurrency,
          batchSize: 1,
          burstWhenBatchFull: true,
          pollingIntervalSeconds: 0.5,
          heartbeatRefreshSeconds: HEARTBEAT_SECONDS / 2,
        },
        async ([job]) => {
          if (job) await handler(job.data.orderId);
        },
      );
    },
    async close(timeoutMs) {
      await boss.stop({ graceful: true, timeout: timeoutMs });
    },
  };
}
