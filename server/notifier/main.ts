import { pushSender, vapidDetailsOf } from '../domain/notifications/push/sendPush.ts';
import { webhookSender } from '../domain/notifications/webhooks/sendWebhook.ts';
import { parseEnvironment, publicBaseUrlOf } from '../platform/config/config.ts';
import { environmentSchema } from '../platform/config/environment.ts';
import { readPush } from '../platform/config/push.ts';
import { closeDatabase, openDatabase } from '../platform/database/client.ts';
import { requireMigrations } from '../platform/database/schemaState.ts';
import { startOpsServer } from '../platform/health/opsServer.ts';
import { createReadiness } from '../platform/health/readiness.ts';
import { createLog } from '../platform/log.ts';
import { exposeMetrics } from '../platform/metrics/registry.ts';
import { createHostResolver } from '../platform/network/hostResolver.ts';
import { logEverything } from '../platform/process/logEverything.ts';
import { runMain, stopSignal } from '../platform/process/runMain.ts';
import { runLane } from './lane.ts';

/**
 * Sends the stored messages to webhooks and browsers. Callers choose where it connects to, so it is a
 * process of its own without keys, and writes only the outcome of its attempts.
 */
async function main(): Promise<void> {
  const config = readNotificationsConfig(process.env);
  const log = createLog('notifications', config.logLevel);
  logEverything(log);
  const database = openDatabase({
    ...config.database,
    applicationName: 'crossbook-notifications',
  });
  await requireMigrations(database);
  const signal = stopSignal({ log, drainMs: config.drainMs });
  const readiness = createReadiness({ database: () => database.pool.query('select 1') });
  signal.addEventListener('abort', () => readiness.end());
  const ops = await startOpsServer({ ...config.ops, readiness, metrics: exposeMetrics, log });
  const resolveHost = createHostResolver({ servers: config.dnsServers });
  const policy = { allowLocal: config.isSandbox, resolveHost };
  const senders = [webhookSender(database, policy)];
  const vapid = config.push.sender;
  if (vapid) senders.push(pushSender(database, policy, vapidDetailsOf(vapid)));
  const lanes = senders.flatMap((sender) =>
    [true, false].map((isProven) => ({ sender, isProven })),
  );

  process.send?.({ type: 'ready' });
  readiness.begin();
  log.info('notifications ready');
  await Promise.all(lanes.map((lane) => runLane({ database, log }, lane, signal)));
  await closeDatabase(database);
  await ops?.close();
  log.info('notifications stopped');
  process.exit(0);
}

/** The settings of this process: no keys of chain, exchange or tokens. */
const notificationsSchema = environmentSchema.pick({
  PORT: true,
  PUBLIC_BASE_URL: true,
  LOG_LEVEL: true,
  OPS_HOST: true,
  OPS_PORT: true,
  DNS_SERVERS: true,
  SHUTDOWN_SECONDS: true,
  DATABASE_URL: true,
  DATABASE_DIRECT_URL: true,
  DATABASE_MAX_CONNECTIONS: true,
  SANDBOX: true,
  VAPID_PUBLIC_KEY: true,
  VAPID_PRIVATE_KEY: true,
  VAPID_SUBJECT: true,
});

/** @throws {ConfigError} */
function readNotificationsConfig(environment: Record<string, string | undefined>) {
  const env = parseEnvironment(notificationsSchema, environment, () => []);
  return {
    logLevel: env.LOG_LEVEL,
    ops: { host: env.OPS_HOST, port: env.OPS_PORT },
    dnsServers: env.DNS_SERVERS,
    drainMs: env.SHUTDOWN_SECONDS * 1_000,
    database: {
      url: env.DATABASE_URL,
      maxConnections: env.DATABASE_MAX_CONNECTIONS,
      isPooled: (env.DATABASE_DIRECT_URL ?? env.DATABASE_URL) !== env.DATABASE_URL,
    },
    isSandbox: env.SANDBOX,
    push: readPush({ ...env, publicBaseUrl: publicBaseUrlOf(env) }),
  };
}

await runMain('The sender of notifications', main);
