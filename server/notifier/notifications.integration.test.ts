import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { startNodeChild } from '#sandbox/process/nodeChild.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import type { RunningPart } from '#sandbox/process/supervised.ts';
import { storeMessages } from '../domain/notifications/outbox.ts';
import { openEmptyDatabase } from '../domain/notifications/testing/emptyDatabase.ts';
import { type Receiver, startReceiver } from '../domain/notifications/testing/receiver.ts';
import { createWebhook } from '../domain/notifications/webhooks/manageWebhooks.ts';
import { webhookTestMessage } from '../domain/notifications/webhooks/messages.ts';
import type { Database } from '../platform/database/client.ts';
import {
  notificationAttempts,
  notificationDeliveries,
  webhooks,
} from '../platform/database/schema/notifications.ts';
import { type NameServer, startNameServer } from '../platform/network/testing/nameServer.ts';

/** The program itself, on a database of its own, with a name server that keeps silent. */

const BLACK_HOLES = 24;
/** Beside one poll of half a second, on a machine that does other things too. */
const USUAL_MS = 2_000;

let empty: Awaited<ReturnType<typeof openEmptyDatabase>>;
let database: Database;
let nameServer: NameServer;
let receiver: Receiver;
let program: RunningPart;
let folder: string;
let opsUrl: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-notifications-'));
  empty = await openEmptyDatabase(inject('sandbox').databaseUrl);
  database = empty.database;
  nameServer = await startNameServer();
  receiver = await startReceiver();
  const opsPort = await anyFreePort();
  opsUrl = `http://127.0.0.1:${opsPort}`;
  const { databaseName } = (
    await database.pool.query<{ databaseName: string }>(
      `select current_database() as "databaseName"`,
    )
  ).rows[0] ?? { databaseName: '' };
  const url = new URL(inject('sandbox').databaseUrl);
  url.pathname = `/${databaseName}`;
  program = await startNodeChild({
    title: 'The sender of notifications',
    entry: 'server/notifier/main.ts',
    environment: {
      PATH: process.env.PATH,
      DATABASE_URL: url.href,
      SANDBOX: 'true',
      OPS_PORT: String(opsPort),
      DNS_SERVERS: nameServer.address,
    },
    logFile: join(folder, 'notifications.log'),
    stopTimeoutMs: 5_000,
    signal: new AbortController().signal,
  });
});

afterAll(async () => {
  await program.stop();
  await receiver.close();
  await nameServer.close();
  await empty.close();
  rmSync(folder, { recursive: true, force: true });
});

async function newWebhook(url: string): Promise<string> {
  const policy = { allowLocal: true, resolveHost: async () => [] };
  const { webhook } = await createWebhook(
    { database },
    {
      subject: { apiKeyId: randomUUID() },
      request: { url: receiver.url, description: '', eventTypes: [] },
      policy,
    },
  );
  await database.orm.update(webhooks).set({ url }).where(eq(webhooks.id, webhook.id));
  return webhook.id;
}

const newMessage = (webhookId: string) =>
  storeMessages(database.orm, 'webhook', [webhookTestMessage(webhookId)]);

async function delivered(webhookId: string): Promise<number> {
  const begun = performance.now();
  await newMessage(webhookId);
  await vi.waitUntil(() => receiver.received.some(({ body }) => body.includes(webhookId)), {
    timeout: 120_000,
    interval: 20,
  });
  return performance.now() - begun;
}

test('webhooks whose names never resolve delay no other webhook', { tags: ['long'] }, async () => {
  const proven = await newWebhook(receiver.url);
  expect(await delivered(proven)).toBeLessThan(USUAL_MS);
  receiver.received.length = 0;
  const holes = await Promise.all(
    Array.from({ length: BLACK_HOLES }, (_, index) => newWebhook(`https://${index}.hole.example/`)),
  );
  for (const id of holes) for (let made = 0; made < 3; made += 1) await newMessage(id);
  await expect.poll(() => nameServer.asked.size).toBe(BLACK_HOLES);

  const fresh = await newWebhook(receiver.url);
  const times = await Promise.all([delivered(proven), delivered(fresh)]);
  expect(Math.max(...times)).toBeLessThan(USUAL_MS);

  // Each attempt is recorded once its name was given up, and is repeated by its schedule.
  const attempts = () =>
    database.orm
      .select({ error: notificationAttempts.error })
      .from(notificationAttempts)
      .innerJoin(
        notificationDeliveries,
        eq(notificationDeliveries.id, notificationAttempts.deliveryId),
      )
      .where(inArray(notificationDeliveries.targetId, holes));
  await expect.poll(async () => (await attempts()).length).toBeGreaterThanOrEqual(BLACK_HOLES);
  const errors = new Set((await attempts()).map(({ error }) => error));
  expect([...errors]).toEqual(['the name cannot be resolved']);
  const [row] = await database.orm
    .select({ failing: sql<number>`count(*) filter (where failing_since is not null)::int` })
    .from(webhooks);
  expect(row?.failing).toBe(BLACK_HOLES);
});

test('the program reports its readiness and its attempts', { tags: ['long'] }, async () => {
  expect((await fetch(`${opsUrl}/readyz`)).status).toBe(200);
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  expect(metrics).toMatch(
    /crossbook_notification_attempts_total\{channel="webhook",outcome="delivered"\} [1-9]/,
  );
});
