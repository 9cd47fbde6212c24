import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type PushService, startPushService } from '#sandbox/testing/pushService.ts';
import type { Database } from '#server/platform/database/client.ts';
import {
  notificationAttempts,
  notificationDeliveries,
  notificationMessages,
  pushSubscriptions,
} from '#server/platform/database/schema/notifications.ts';
import { makeVapidPair } from '#server/platform/keys/vapidKeys.ts';
import { createHostResolver } from '#server/platform/network/hostResolver.ts';
import { erasePersonalData } from '../../compliance/personalData.ts';
import { attemptDelivery, type ClaimedDelivery, claimDeliveries, type Sender } from '../deliver.ts';
import { deleteOldNotifications, storeMessages } from '../outbox.ts';
import { openEmptyDatabase } from '../testing/emptyDatabase.ts';
import { pushSender, vapidDetailsOf } from './sendPush.ts';
import { readPushState, subscribeBrowser } from './subscriptions.ts';

/** The outbox and the sender of push messages, on a database of their own. */

const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const pair = makeVapidPair();
const policy = { allowLocal: true, resolveHost: createHostResolver({ servers: [] }) };
const vapid = vapidDetailsOf({ ...pair, subject: 'mailto:ops@crossbook.example' });
const config = { push: { publicKey: pair.publicKey, sender: undefined } };

let empty: Awaited<ReturnType<typeof openEmptyDatabase>>;
let database: Database;
let service: PushService;

beforeAll(async () => {
  empty = await openEmptyDatabase(inject('sandbox').databaseUrl);
  database = empty.database;
});
afterAll(() => empty.close());

beforeEach(async () => {
  service = await startPushService();
  return async () => {
    await service.close();
    await database.orm.delete(pushSubscriptions);
    for (const table of [notificationDeliveries, notificationMessages, notificationAttempts]) {
      await database.orm.delete(table);
    }
  };
});

async function newSubscription(): Promise<string> {
  const { request } = service.newBrowser();
  const { id } = await subscribeBrowser({ database, config }, { owner: OWNER, request, policy });
  return id;
}

const notify = (subscriptionId: string, source: string = randomUUID()) =>
  storeMessages(database.orm, 'push', [
    {
      source,
      type: 'notification',
      topic: source,
      payload: { title: 'Bought 1 Yes', body: '', path: '/orders/1', tag: source },
      targetIds: [subscriptionId],
    },
  ]);

type Patience = Partial<Sender['policy']>;

const AT_ONCE = { waitSeconds: [0, 0], giveUpTargetAfterSeconds: 0 };
const PATIENT = { waitSeconds: [0], giveUpTargetAfterSeconds: 3_600 };

function senderOf(patience: Patience, targetPolicy = policy): Sender {
  const sender = pushSender(database, targetPolicy, vapid);
  return { ...sender, policy: { ...sender.policy, ...patience } };
}

async function claim(limit: number): Promise<ClaimedDelivery[]> {
  const ofTargets = (isProven: boolean) =>
    claimDeliveries(database, { channel: 'push', limit, perTarget: 2, busy: [], isProven });
  return [...(await ofTargets(true)), ...(await ofTargets(false))];
}

const attempt = (patience: Patience, claimed: ClaimedDelivery) =>
  attemptDelivery(database, senderOf(patience), claimed);

async function sendAll(patience: Patience): Promise<void> {
  for (;;) {
    const claimed = await claim(10);
    if (claimed.length === 0) return;
    for (const one of claimed) await attempt(patience, one);
  }
}

const attempts = () => database.orm.select().from(notificationAttempts);
const deliveries = () => database.orm.select().from(notificationDeliveries);
const subscriptions = () => database.orm.select().from(pushSubscriptions);

describe('a notification', () => {
  it('is stored once for the same source', async () => {
    const id = await newSubscription();
    expect(await notify(id, 'order:1')).toBe(1);
    expect(await notify(id, 'order:1')).toBe(0);
    expect(await deliveries()).toHaveLength(1);
  });

  it('is claimed by one process only', async () => {
    const ids = [await newSubscription(), await newSubscription()];
    for (const id of [...ids, ...ids]) await notify(id);
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(10)));
    const taken = claims.flat().map((one) => one.id);
    expect(taken).toHaveLength(4);
    expect(new Set(taken).size).toBe(4);
  });

  it('of a dead process is taken over, and that process can no longer record its result', async () => {
    await notify(await newSubscription());
    const [dead] = await claim(10);
    await database.orm
      .update(notificationDeliveries)
      .set({ leaseUntil: sql`now() - interval '1 second'` });
    const [taken] = await claim(10);
    if (!dead || !taken) throw new Error('nothing was due');
    await attempt(AT_ONCE, taken);
    service.respondWith({ status: 500 });
    await attempt(AT_ONCE, dead);
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attemptCount: 1 }]);
  });

  it('is given up when the schedule is used up, and a browser that never responds with it', async () => {
    service.respondWith({ status: 503 });
    await notify(await newSubscription());
    await sendAll(AT_ONCE);
    expect(service.received).toHaveLength(3);
    expect(await subscriptions()).toEqual([]);
    await deleteOldNotifications(database);
    expect(await deliveries()).toEqual([]);
  });

  it('that failed for a short while leaves its browser, and one that arrives clears it', async () => {
    service.respondWith({ status: 503 });
    const id = await newSubscription();
    await notify(id);
    await sendAll(PATIENT);
    expect(await deliveries()).toMatchObject([{ status: 'failed' }]);
    expect((await attempts()).map(({ statusCode }) => statusCode)).toEqual([503, 503]);
    expect((await subscriptions())[0]?.failingSince).not.toBeNull();
    service.respondWith({ status: 201 });
    await notify(id);
    await sendAll(PATIENT);
    expect(await subscriptions()).toMatchObject([{ id, failingSince: null }]);
  });

  it.each([400, 401, 403, 413])('with the response %i is not tried again', async (status) => {
    service.respondWith({ status });
    await notify(await newSubscription());
    await sendAll(PATIENT);
    expect(service.received).toHaveLength(1);
    expect(await deliveries()).toMatchObject([{ status: 'failed' }]);
    expect(await attempts()).toMatchObject([{ statusCode: status }]);
  });

  it.each([404, 410])(
    'with the response %i removes its browser, with all waiting messages',
    async (status) => {
      service.respondWith({ status });
      const id = await newSubscription();
      for (const source of ['a', 'b', 'c']) await notify(id, source);
      // Those under way at the same moment end without waiting for each other for ever.
      await Promise.all((await claim(10)).map((one) => attempt(PATIENT, one)));
      await sendAll(PATIENT);
      expect(await subscriptions()).toEqual([]);
      expect(new Set((await deliveries()).map((one) => one.status))).toEqual(new Set(['failed']));
      await deleteOldNotifications(database);
      for (const table of [notificationDeliveries, notificationMessages, notificationAttempts]) {
        expect(await database.orm.select().from(table)).toEqual([]);
      }
    },
  );

  it('that has expired is not sent', async () => {
    await notify(await newSubscription());
    await database.orm
      .update(notificationDeliveries)
      .set({ expiresAt: sql`now() - interval '1 second'` });
    await sendAll(AT_ONCE);
    expect(service.received).toEqual([]);
    await deleteOldNotifications(database);
    expect(await deliveries()).toMatchObject([{ status: 'failed' }]);
    await database.orm
      .update(notificationMessages)
      .set({ createdAt: sql`now() - interval '8 days'` });
    await deleteOldNotifications(database);
    expect(await deliveries()).toEqual([]);
  });

  it('does not reach into our own network, even if the name had a public address before', async () => {
    await notify(await newSubscription());
    const [claimed] = await claim(1);
    if (!claimed) throw new Error('nothing was due');
    await attemptDelivery(database, senderOf(PATIENT, { ...policy, allowLocal: false }), claimed);
    expect(service.received).toEqual([]);
    expect(await attempts()).toMatchObject([
      { statusCode: null, error: 'the address is not allowed' },
    ]);
  });
});

it('personal data is erased: browsers, and the messages sent to them', async () => {
  const id = await newSubscription();
  await notify(id);
  await sendAll(PATIENT);
  await notify(id);
  await erasePersonalData({ database }, { owner: OWNER, by: 'tester', reason: 'asked for' });
  const tables = [notificationDeliveries, notificationMessages, notificationAttempts];
  for (const table of [pushSubscriptions, ...tables]) {
    expect(await database.orm.select().from(table)).toEqual([]);
  }
});

it('without a VAPID key notifications are not offered', async () => {
  const none = { database, config: { push: { publicKey: undefined, sender: undefined } } };
  expect(await readPushState(none, OWNER)).toEqual({ publicKey: null, subscriptions: [] });
  const { request } = service.newBrowser();
  await expect(subscribeBrowser(none, { owner: OWNER, request, policy })).rejects.toMatchObject({
    code: 'push_not_served',
  });
});
