import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Database } from '#server/platform/database/client.ts';
import {
  notificationAttempts,
  notificationDeliveries,
  notificationMessages,
  webhooks,
} from '#server/platform/database/schema/notifications.ts';
import { orderEvents, orders } from '#server/platform/database/schema/orders.ts';
import { createHostResolver } from '#server/platform/network/hostResolver.ts';
import { attemptDelivery, type ClaimedDelivery, claimDeliveries, type Sender } from '../deliver.ts';
import { deleteOldNotifications, type NewMessage, storeMessages } from '../outbox.ts';
import { postMessage } from '../postMessage.ts';
import { publishOrders } from '../publishOrders.ts';
import { openEmptyDatabase } from '../testing/emptyDatabase.ts';
import { type Receiver, startReceiver } from '../testing/receiver.ts';
import {
  createWebhook,
  deleteWebhook,
  disableWebhooksOfInactiveKeys,
  updateWebhook,
} from './manageWebhooks.ts';
import { webhookTestMessage } from './messages.ts';
import { webhookSender } from './sendWebhook.ts';

/** The outbox and the sender of webhooks, on a database of their own. */

const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const policy = { allowLocal: true, resolveHost: createHostResolver({ servers: [] }) };

let empty: Awaited<ReturnType<typeof openEmptyDatabase>>;
let database: Database;
let receiver: Receiver;

beforeAll(async () => {
  empty = await openEmptyDatabase(inject('sandbox').databaseUrl);
  database = empty.database;
});
afterAll(() => empty.close());

beforeEach(async () => {
  receiver = await startReceiver();
  return async () => {
    await receiver.close();
    for (const table of [
      webhooks,
      notificationDeliveries,
      notificationMessages,
      notificationAttempts,
    ]) {
      await database.orm.delete(table);
    }
  };
});

async function newWebhook(): Promise<string> {
  const { webhook } = await createWebhook(
    { database },
    {
      subject: { ownerAddress: OWNER },
      request: { url: receiver.url, description: '', eventTypes: [] },
      policy,
    },
  );
  return webhook.id;
}

async function newMessage(webhookId: string, part: Partial<NewMessage> = {}): Promise<void> {
  const message = { ...webhookTestMessage(webhookId), ...part };
  await storeMessages(database.orm, 'webhook', [message]);
}

type Patience = Partial<Sender['policy']>;

function senderOf(patience: Patience): Sender {
  const sender = webhookSender(database, policy);
  return { ...sender, policy: { ...sender.policy, ...patience } };
}

async function claim(limit: number): Promise<ClaimedDelivery[]> {
  const ofTargets = (isProven: boolean) =>
    claimDeliveries(database, { channel: 'webhook', limit, perTarget: 4, busy: [], isProven });
  return [...(await ofTargets(true)), ...(await ofTargets(false))];
}

const attempt = (patience: Patience, claimed: ClaimedDelivery) =>
  attemptDelivery(database, senderOf(patience), claimed);

/** Sends until nothing is due. */
async function deliverAll(patience: Patience): Promise<void> {
  for (;;) {
    const claimed = await claim(10);
    if (claimed.length === 0) return;
    for (const one of claimed) await attempt(patience, one);
  }
}

const webhookRow = async (id: string) =>
  (await database.orm.select().from(webhooks).where(eq(webhooks.id, id)))[0];
const deliveryRows = () =>
  database.orm.select().from(notificationDeliveries).orderBy(notificationDeliveries.createdAt);

const AT_ONCE = { waitSeconds: [0, 0], giveUpTargetAfterSeconds: 0 };

describe('deliveries', () => {
  it('are given up when the schedule is used up, and the webhook with them', async () => {
    receiver.respondWith(() => ({ status: 503 }));
    const id = await newWebhook();
    await newMessage(id);
    await deliverAll(AT_ONCE);
    expect(receiver.received).toHaveLength(3);
    expect(await deliveryRows()).toMatchObject([{ status: 'failed', attemptCount: 3 }]);
    expect(await webhookRow(id)).toMatchObject({ enabled: false, disabledReason: 'failing' });
  });

  it('do not disable a webhook that has been failing for a short while', async () => {
    receiver.respondWith(() => ({ status: 503 }));
    const id = await newWebhook();
    await newMessage(id);
    await deliverAll({ waitSeconds: [], giveUpTargetAfterSeconds: 3_600 });
    const row = await webhookRow(id);
    expect(row).toMatchObject({ enabled: true });
    expect(row?.failingSince).not.toBeNull();
    receiver.respondWith(() => ({ status: 200 }));
    await newMessage(id);
    await deliverAll(AT_ONCE);
    expect(await webhookRow(id)).toMatchObject({ failingSince: null });
  });

  it('are claimed by one process each', async () => {
    const id = await newWebhook();
    for (let made = 0; made < 4; made++) await newMessage(id);
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(10)));
    const ids = claims.flat().map((one) => one.id);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
  });

  it('of a dead process are taken over, and that process can no longer record their results', async () => {
    const id = await newWebhook();
    await newMessage(id);
    const [dead] = await claim(10);
    await database.orm
      .update(notificationDeliveries)
      .set({ leaseUntil: sql`now() - interval '1 second'` });
    const [taken] = await claim(10);
    if (!dead || !taken) throw new Error('nothing was due');
    expect(taken.id).toBe(dead.id);
    await attempt(AT_ONCE, taken);
    receiver.respondWith(() => ({ status: 500 }));
    await attempt(AT_ONCE, dead);
    expect(await deliveryRows()).toMatchObject([{ status: 'delivered', attemptCount: 1 }]);
  });

  it('leave room for other webhooks when one has many', async () => {
    const [busy, calm] = [await newWebhook(), await newWebhook()];
    for (let made = 0; made < 30; made++) await newMessage(busy);
    await newMessage(calm);
    const claimed = await claim(10);
    const targets = claimed.map((one) => one.targetId);
    expect(targets.filter((target) => target === busy)).toHaveLength(4);
    expect(targets).toContain(calm);
  });

  it('of one topic are first attempted in order, and a failed one does not hold up the next', async () => {
    const id = await newWebhook();
    const next = (source: string) => newMessage(id, { source, topic: 'order:1' });
    for (const source of ['created', 'executing', 'completed']) await next(source);
    await newMessage(id);
    const [first, other] = await claim(10);
    if (!first || !other) throw new Error('two topics were due');
    expect(await claim(10)).toEqual([]);
    receiver.respondWith(() => ({ status: 503 }));
    await attempt({}, first);
    const [second, ...rest] = await claim(10);
    expect(rest).toEqual([]);
    if (!second) throw new Error('the second of the topic was due');
    await attempt({}, second);
    await deliverAll({});
    const rows = await deliveryRows();
    const ids = rows
      .filter(({ topic }) => topic === 'order:1')
      .toSorted((a, b) => Number(a.sequence - b.sequence))
      .map(({ messageId }) => messageId);
    const received = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(received.filter((one) => one !== other.messageId)).toEqual(ids);
  });

  it('are made once for the same source, and once for each of its targets', async () => {
    const ids = [await newWebhook(), await newWebhook()];
    const message = { ...webhookTestMessage(ids[0] ?? ''), targetIds: ids };
    expect(await storeMessages(database.orm, 'webhook', [message, message])).toBe(2);
    expect(await storeMessages(database.orm, 'webhook', [message])).toBe(0);
    expect((await deliveryRows()).map(({ targetId }) => targetId).toSorted()).toEqual(
      ids.toSorted(),
    );
  });

  it('are deleted with their webhook; a message that went to another stays', async () => {
    const [id, other] = [await newWebhook(), await newWebhook()];
    await newMessage(id);
    await newMessage(id, { targetIds: [id, other] });
    await deliverAll(AT_ONCE);
    await deleteWebhook({ database }, { subject: { ownerAddress: OWNER }, id });
    expect(await deliveryRows()).toMatchObject([{ targetId: other }]);
    expect(await database.orm.select().from(notificationMessages)).toHaveLength(1);
    expect(await database.orm.select().from(notificationAttempts)).toHaveLength(1);
  });

  it('stop when the webhook is disabled', async () => {
    const id = await newWebhook();
    await newMessage(id);
    const subject = { ownerAddress: OWNER };
    await updateWebhook({ database }, { subject, id, request: { status: 'disabled' }, policy });
    await deliverAll(AT_ONCE);
    expect(receiver.received).toEqual([]);
    expect(await deliveryRows()).toMatchObject([{ status: 'failed' }]);
  });

  it('are deleted after a month, with their attempts', async () => {
    const id = await newWebhook();
    await newMessage(id);
    await deliverAll(AT_ONCE);
    await newMessage(id);
    await database.orm
      .update(notificationMessages)
      .set({ createdAt: sql`now() - interval '31 days'` })
      .where(
        eq(
          notificationMessages.id,
          (await deliveryRows()).find((one) => one.deliveredAt)?.messageId ?? '',
        ),
      );
    await deleteOldNotifications(database);
    expect(await deliveryRows()).toMatchObject([{ status: 'pending' }]);
    expect(await database.orm.select().from(notificationAttempts)).toEqual([]);
  });
});

describe('a connection', () => {
  it.each(['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]'])(
    'to our own machine (%s) is refused when it is made',
    async (host) => {
      const url = new URL(receiver.url);
      // A name may have meant something else when the webhook was made.
      const target = `https://${host}:${url.port}/`;
      const result = await postMessage(
        target,
        { headers: {}, body: '{}' },
        { ...policy, allowLocal: false },
      );
      expect(result).toMatchObject({
        statusCode: null,
        error: 'the address is not on the public internet',
      });
      expect(receiver.received).toEqual([]);
    },
  );

  it('that the target refuses is reported as such', async () => {
    const { url } = receiver;
    await receiver.close();
    const result = await postMessage(url, { headers: {}, body: '{}' }, policy);
    expect(result).toMatchObject({ statusCode: null, error: 'the connection was refused' });
    receiver = await startReceiver();
  });
});

it('webhooks of a revoked key are disabled', async () => {
  const { webhook } = await createWebhook(
    { database },
    {
      subject: { apiKeyId: 'key_revoked' },
      request: { url: receiver.url, description: '', eventTypes: [] },
      policy,
    },
  );
  await disableWebhooksOfInactiveKeys(database);
  expect(await webhookRow(webhook.id)).toMatchObject({ disabledReason: 'key_revoked' });
});

describe('the orders’ log', () => {
  async function newOrder(): Promise<string> {
    const id = randomUUID();
    await database.orm.insert(orders).values({
      id,
      accountId: OWNER,
      ownerAddress: OWNER,
      userAddress: OWNER,
      apiKeyId: 'key_1',
      clientId: id,
      requestHash: '',
      kind: 'api',
      action: { orderType: 'MarketOrder', order: {}, chainId: 8453 },
      status: 'pending',
      stage: 'request',
      createdAt: new Date(),
      updatedAt: new Date(),
      nextRunAt: new Date(),
    });
    return id;
  }

  const happened = (orderId: string) => ({
    accountId: OWNER,
    orderId,
    type: 'created',
    status: 'pending',
    at: sql`now()`,
  });

  async function publishedOrders(): Promise<string[]> {
    const rows = await database.orm
      .select({ payload: notificationMessages.payload })
      .from(notificationMessages);
    return rows.map(
      (row) => (JSON.parse(row.payload) as { data: { order: { id: string } } }).data.order.id,
    );
  }

  it('is published whole and once, also when entries are committed late and several processes publish', async () => {
    await newWebhook();
    await publishOrders(database);
    const [late, prompt] = [await newOrder(), await newOrder()];
    const slow = await database.pool.connect();
    try {
      await slow.query('begin');
      await slow.query(
        `insert into order_events (account_id, order_id, type, status, at) values ($1, $2, 'created', 'pending', now())`,
        [OWNER, late],
      );
      await database.orm.insert(orderEvents).values(happened(prompt));
      for (let round = 0; round < 4; round++) await publishOrders(database);
      expect(await publishedOrders()).toEqual([prompt]);
      await slow.query('commit');
    } finally {
      slow.release();
    }
    // The place moves once all running transactions have ended, also in other databases of the server.
    const isAtEnd = async () => {
      await Promise.all([
        publishOrders(database),
        publishOrders(database),
        publishOrders(database),
      ]);
      const { rows } = await database.orm.execute<{ isAtEnd: boolean }>(sql`
        select position = (select max(sequence) from order_events) as "isAtEnd"
        from notification_cursor`);
      return rows[0]?.isAtEnd;
    };
    await expect.poll(isAtEnd).toBe(true);
    expect((await publishedOrders()).toSorted()).toEqual([late, prompt].toSorted());
  });

  it('is published by one process at a time', async () => {
    const other = new pg.Client({ connectionString: database.pool.options.connectionString });
    await other.connect();
    try {
      await other.query('begin');
      await other.query(`select pg_advisory_xact_lock(hashtextextended('publish orders', 0))`);
      expect(await publishOrders(database)).toBeUndefined();
      await other.query('rollback');
      expect(await publishOrders(database)).toBe(0);
    } finally {
      await other.end();
    }
  });
});
