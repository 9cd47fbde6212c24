import { pushSender, vapidDetailsOf } from '../domain/notifications/push/sendPush.ts';
import { webhookSender } from '../domain/notifications/webhooks/sendWebhook.ts';
import { closeDatabase, openDatabase } from '../platform/database/client.ts';
import { requireMigrations } from '../platform/database/schemaState.ts';
import { startOpsServer } from '../platform/health/opsServer.ts';
import { createReadiness } from '../platform/health/readiness.ts';
import { createLog } from '../platform/log.ts';
import { exposeMetrics } from '../platform/metrics/registry.ts';
import { createHostResolver } from '../platform/network/hostResolver.ts';
import { logEverything } from '../platform/process/logEverything.ts';
import { runMain, stopSignal } from '../platform/process/runMain.ts';
import { readNotificationsConfig } from './config.ts';
import { runLane } from './lane.ts';

/**
 * Sends the messages that processors have stored for webhooks and browsers. A process of its own:
 * callers choose where it connects to and how long that takes, so it holds no key of chain or
 * exchange and may write nothing but the outcome of its attempts.
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
  const signal = stopSignal();
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

await runMain('The sender of notifications', main);
