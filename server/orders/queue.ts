import { sql } from 'drizzle-orm';
import { fromDrizzle, PgBoss } from 'pg-boss';
import type { Queryable } from '../db/client.ts';
import type { Log } from '../log.ts';

const ORDERS_QUEUE = 'orders';

/** How long a processor may be silent before its job is handed to another. */
const HEARTBEAT_SECONDS = 10;

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
 * Connects to pg-boss. The processor maintains the queue (`maintain`); the web server only sends.
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
    migrate: true,
    useListenNotify: options.maintain,
  });
  boss.on('error', (error) => options.log.error({ err: error }, 'queue error'));
  await boss.start();
  await boss.createQueue(ORDERS_QUEUE, {
    policy: 'short',
    notify: true,
    retryLimit: 20,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: 900,
    deleteAfterSeconds: 3_600,
  });
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
