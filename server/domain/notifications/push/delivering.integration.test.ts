import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type PushService, startPushService } from '#sandbox/testing/pushService.ts';
import type { Database } from '#server/platform/database/client.ts';
import { pushDeliveries, pushSubscriptions } from '#server/platform/database/schema/push.ts';
import { makeVapidPair } from '#server/platform/keys/vapidKeys.ts';
import { createHostResolver } from '#server/platform/network/hostResolver.ts';
import { erasePersonalData } from '../../compliance/personalData.ts';
import { openEmptyDatabase } from '../webhooks/testing/emptyDatabase.ts';
import {
  attemptPush,
  type ClaimedPush,
  claimNotifications,
  type PushDeliverDeps,
} from './deliver.ts';
import { storeNotification } from './messages.ts';
import { deletePastNotifications } from './retention.ts';
import { readPushState, subscribeBrowser } from './subscriptions.ts';
import { openVapidSigner, type VapidSigner } from './vapid.ts';

/** The machinery by itself, on a database where nobody else works. */

const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const pair = makeVapidPair();
const policy = { allowLocal: true, resolveHost: createHostResolver({ servers: [] }) };
const config = { push: { publicKey: pair.publicKey, sender: undefined } };

let empty: Awaited<ReturnType<typeof openEmptyDatabase>>;
let database: Database;
let service: PushService;
let signer: VapidSigner;

beforeAll(async () => {
  empty = await openEmptyDatabase(inject('sandbox').databaseUrl);
  database = empty.database;
  signer = await openVapidSigner({ ...pair, subject: 'mailto:ops@crossbook.example' });
});
afterAll(() => empty.close());

beforeEach(async () => {
  service = await startPushService();
  return async () => {
    await service.close();
    await database.orm.delete(pushSubscriptions);
    await database.orm.delete(pushDeliveries);
  };
});

async function newSubscription(): Promise<string> {
  const { request } = service.newBrowser();
  const { id } = await subscribeBrowser({ database, config }, { owner: OWNER, request, policy });
  return id;
}

const notify = (subscriptionId: string, source: string = randomUUID()) =>
  storeNotification(database.orm, {
    source,
    notification: { title: 'Bought 1 Yes', body: '', path: '/orders/1', tag: source },
    subscriptionIds: [subscriptionId],
  });

const AT_ONCE = { waitSeconds: [0, 0], disableAfterSeconds: 0 };
const PATIENT = { waitSeconds: [0], disableAfterSeconds: 3_600 };

const depsOf = (schedule: PushDeliverDeps['schedule']): PushDeliverDeps => ({
  database,
  schedule,
  policy,
  signer,
});

async function claim(limit: number): Promise<ClaimedPush[]> {
  const ofSnapshot = (isProven: boolean) =>
    claimNotifications(database, { limit, perBrowser: 2, busy: [], isProven });
  return [...(await ofSnapshot(true)), ...(await ofSnapshot(false))];
}

async function sendAll(schedule: PushDeliverDeps['schedule']): Promise<void> {
  for (;;) {
    const claimed = await claim(10);
    if (claimed.length === 0) return;
    for (const one of claimed) await attemptPush(depsOf(schedule), one);
  }
}

const deliveries = () => database.orm.select().from(pushDeliveries);
const subscriptions = () => database.orm.select().from(pushSubscriptions);

describe('a notification', () => {
  it('is stored once for the same source', async () => {
    const id = await newSubscription();
    expect(await notify(id, 'order:1')).toBe(1);
    expect(await notify(id, 'order:1')).toBe(0);
    expect(await deliveries()).toHaveLength(1);
  });

  it('is taken by one process each, however many ask', async () => {
    const ids = [await newSubscription(), await newSubscription()];
    for (const id of [...ids, ...ids]) await notify(id);
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(10)));
    const taken = claims.flat().map((one) => one.delivery.id);
    expect(taken).toHaveLength(4);
    expect(new Set(taken).size).toBe(4);
  });

  it('is taken over from a process that died, which can then no longer judge it', async () => {
    await notify(await newSubscription());
    const [dead] = await claim(10);
    await database.orm.update(pushDeliveries).set({ leaseUntil: sql`now() - interval '1 second'` });
    const [taken] = await claim(10);
    if (!dead || !taken) throw new Error('nothing was due');
    await attemptPush(depsOf(AT_ONCE), taken);
    service.respondWith({ status: 500 });
    await attemptPush(depsOf(AT_ONCE), dead);
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attemptCount: 1 }]);
  });

  it('is given up when the schedule is used up, and a browser that never answers with it', async () => {
    service.respondWith({ status: 503 });
    await notify(await newSubscription());
    await sendAll(AT_ONCE);
    expect(service.received).toHaveLength(3);
    expect(await subscriptions()).toEqual([]);
    expect(await deliveries()).toEqual([]);
  });

  it('that failed for a short while leaves its browser, and one that arrives clears it', async () => {
    service.respondWith({ status: 503 });
    const id = await newSubscription();
    await notify(id);
    await sendAll(PATIENT);
    expect(await deliveries()).toMatchObject([{ status: 'failed', lastStatusCode: 503 }]);
    expect((await subscriptions())[0]?.failingSince).not.toBeNull();
    service.respondWith({ status: 201 });
    await notify(id);
    await sendAll(PATIENT);
    expect(await subscriptions()).toMatchObject([{ id, failingSince: null }]);
  });

  it.each([400, 401, 403, 413])('answered with %i is not tried again', async (status) => {
    service.respondWith({ status });
    await notify(await newSubscription());
    await sendAll(PATIENT);
    expect(service.received).toHaveLength(1);
    expect(await deliveries()).toMatchObject([{ status: 'failed', lastStatusCode: status }]);
  });

  it.each([404, 410])(
    'answered with %i takes its browser away, with all that waits',
    async (status) => {
      service.respondWith({ status });
      const id = await newSubscription();
      for (const source of ['a', 'b', 'c']) await notify(id, source);
      await sendAll(PATIENT);
      expect(await subscriptions()).toEqual([]);
      expect(await deliveries()).toEqual([]);
    },
  );

  it('that is no news any more is not sent', async () => {
    await notify(await newSubscription());
    await database.orm.update(pushDeliveries).set({ expiresAt: sql`now() - interval '1 second'` });
    await sendAll(AT_ONCE);
    expect(service.received).toEqual([]);
    await deletePastNotifications(database);
    expect(await deliveries()).toMatchObject([{ status: 'failed' }]);
    await database.orm.update(pushDeliveries).set({ createdAt: sql`now() - interval '8 days'` });
    await deletePastNotifications(database);
    expect(await deliveries()).toEqual([]);
  });

  it('does not reach into our own network, whatever the address meant before', async () => {
    await notify(await newSubscription());
    const [claimed] = await claim(1);
    if (!claimed) throw new Error('nothing was due');
    await attemptPush({ ...depsOf(PATIENT), policy: { ...policy, allowLocal: false } }, claimed);
    expect(service.received).toEqual([]);
    expect(await deliveries()).toMatchObject([{ lastStatusCode: null }]);
  });
});

it('what is personal is erased: the browsers and what was on its way to them', async () => {
  const id = await newSubscription();
  await notify(id);
  await erasePersonalData({ database }, { owner: OWNER, by: 'tester', reason: 'asked for' });
  expect(await subscriptions()).toEqual([]);
  expect(
    await database.orm.select().from(pushDeliveries).where(eq(pushDeliveries.subscriptionId, id)),
  ).toEqual([]);
});

it('without a key nobody is offered notifications', async () => {
  const none = { database, config: { push: { publicKey: undefined, sender: undefined } } };
  expect(await readPushState(none, OWNER)).toEqual({ publicKey: null, subscriptions: [] });
  const { request } = service.newBrowser();
  await expect(subscribeBrowser(none, { owner: OWNER, request, policy })).rejects.toMatchObject({
    code: 'push_not_served',
  });
});
