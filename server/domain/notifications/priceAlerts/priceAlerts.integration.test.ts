import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import {
  MOST_PRICE_ALERTS,
  type PriceAlertCreated,
  type PriceAlertList,
} from '#lib/api/schemas/priceAlert.ts';
import { type WebhookCreated, webhookPayloadSchema } from '#lib/api/schemas/webhook.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { startPushService } from '#sandbox/testing/pushService.ts';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import { signIn as signInTrader } from '#sandbox/testing/trader.ts';
import { takeMarket } from '#sandbox/testing/trades.ts';
import {
  newWallet,
  openMarket,
  openSession,
  type Session,
  signIn,
} from '#server/api/testing/apiSession.ts';
import {
  notificationMessages,
  priceAlerts,
} from '#server/platform/database/schema/notifications.ts';
import type { PushNotification } from '../push/texts.ts';
import { openEmptyDatabase } from '../testing/emptyDatabase.ts';
import { type Receiver, startReceiver } from '../testing/receiver.ts';
import { createAlertTriggers } from './alertTriggers.ts';

const PATH = '/v1/price-alerts';

let session: Session;
let receiver: Receiver;

beforeAll(async () => {
  session = await openSession();
});
beforeEach(async () => {
  receiver = await startReceiver();
  return () => receiver.close();
});

const set = (token: string, body: object) => session.send('POST', PATH, { token, body });
const refuse = (token: string, body: object) => session.refuse('POST', PATH, { token, body });

async function listed(token: string) {
  const { body } = await session.send('GET', PATH, { token });
  return (body as PriceAlertList).priceAlerts;
}

async function newWebhook(token: string): Promise<string> {
  const body = { url: receiver.url, eventTypes: ['price_alert.triggered'] };
  const created = await session.send('POST', '/v1/webhooks', { token, body });
  return (created.body as WebhookCreated).secret;
}

describe('an owner', () => {
  it('sees an alert on every device, until one of them deletes it', async () => {
    const wallet = newWallet();
    const [phone, laptop] = [await signIn(session, wallet), await signIn(session, wallet)];
    const { ticker } = await openMarket(session);
    const body = { ticker, side: 'yes', price: '0.995', direction: 'above' };
    const created = await set(phone, body);
    expect(created.status).toBe(201);
    const { priceAlert } = created.body as PriceAlertCreated;
    expect(priceAlert).toMatchObject({ ...body, source: 'bid', status: 'waiting' });
    expect(await listed(laptop)).toEqual([priceAlert]);

    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const again = await set(laptop, { ...body, expiresAt });
    expect((again.body as PriceAlertCreated).priceAlert).toEqual({ ...priceAlert, expiresAt });
    expect(await listed(phone)).toHaveLength(1);

    const stranger = await signIn(session, newWallet());
    expect(await listed(stranger)).toEqual([]);
    const path = `${PATH}/${priceAlert.id}`;
    const missing = { status: 404, code: 'price_alert_not_found' };
    expect(await session.refuse('DELETE', path, { token: stranger })).toMatchObject(missing);
    const exported = await session.send('GET', '/v1/account/data', { token: phone });
    expect(exported.body).toMatchObject({ priceAlerts: [{ id: priceAlert.id }] });
    expect((await session.send('DELETE', path, { token: laptop })).status).toBe(200);
    expect(await listed(phone)).toEqual([]);
    expect(await session.refuse('DELETE', path, { token: phone })).toMatchObject(missing);
  });

  it('cannot set one without a price, a future end, a market or room for it', async () => {
    const token = await signIn(session, newWallet());
    const { ticker } = await openMarket(session);
    const body = { ticker, side: 'no', price: '0.01', direction: 'below', source: 'last' };
    for (const wrong of [{ price: '1' }, { price: '0' }, { direction: 'up' }, { source: 'mid' }]) {
      const refused = await refuse(token, { ...body, ...wrong });
      expect(refused).toMatchObject({ status: 400, code: 'invalid_request' });
    }
    const past = { expiresAt: new Date(Date.now() - 1_000).toISOString() };
    expect((await refuse(token, { ...body, ...past })).code).toBe('deadline_not_allowed');
    expect((await refuse(token, { ...body, ticker: 'NO-SUCH' })).code).toBe('market_not_found');
    const prices = Array.from({ length: MOST_PRICE_ALERTS }, (_, n) => `0.00${n + 10}`);
    const stored = await Promise.all(prices.map((price) => set(token, { ...body, price })));
    expect(stored.map(({ status }) => status)).toEqual(prices.map(() => 201));
    expect((await refuse(token, { ...body, price: '0.009' })).code).toBe('limit_reached');
    expect((await session.refuse('GET', PATH)).code).toBe('token_missing');
    for (const { id } of await listed(token)) {
      await session.send('DELETE', `${PATH}/${id}`, { token });
    }
  });
});

it('given a price that moves to it, an alert is sent once, to webhook and browser', async () => {
  const sandbox = sandboxUnderTest();
  const service = await startPushService();
  const ticker = await takeMarket(await signInTrader(sandbox));
  await controlExchange(sandbox, 'market', { ticker, takers: false, priceDollars: '0.5' });
  const token = await signIn(session, newWallet());
  const secret = await newWebhook(token);
  const { browser, request } = service.newBrowser();
  await session.send('POST', '/v1/push', { token, body: request });
  await set(token, { ticker, side: 'yes', price: '0.7', direction: 'above' });
  await set(token, { ticker, side: 'no', price: '0.2', direction: 'below' });
  const never = { ticker, side: 'yes', price: '0.1', direction: 'below' };
  await set(token, never);

  // The second one, which fires later, shows that the first came once.
  for (const [price, count] of [
    ['0.75', 1],
    ['0.9', 2],
  ] as const) {
    await controlExchange(sandbox, 'market', { ticker, priceDollars: price });
    const isSent = () => receiver.received.length >= count && service.received.length >= count;
    await vi.waitUntil(isSent, { timeout: 120_000, interval: 50 });
  }
  const payloads = receiver.received.map(({ body, headers }) =>
    webhookPayloadSchema.parse(
      new StandardWebhook(secret).verify(body, headers as Record<string, string>),
    ),
  );
  expect(payloads).toMatchObject([
    {
      type: 'price_alert.triggered',
      data: { priceAlert: { side: 'yes', price: '0.7', status: 'triggered' } },
    },
    { data: { priceAlert: { side: 'no', price: '0.2', source: 'ask' } } },
  ]);
  const pushed = service.received.map(
    ({ body }) => JSON.parse(browser.read(body)) as PushNotification,
  );
  expect(pushed).toMatchObject([
    { title: expect.stringMatching(/^Yes bid rose to 7\d/), path: `/markets/${ticker}` },
    { title: expect.stringMatching(/^No ask fell to 1\d/) },
  ]);
  const states = (await listed(token)).map(({ price, status }) => [price, status]);
  expect(states).toEqual([
    ['0.1', 'waiting'],
    ['0.2', 'triggered'],
    ['0.7', 'triggered'],
  ]);
  await service.close();
});

describe('firing', () => {
  const owner = newWallet().address;
  const alert = {
    id: 'pa_test',
    ownerAddress: owner,
    apiKeyId: 'key',
    ticker: 'RAIN',
    side: 'yes' as const,
    priceMicros: 400_000n,
    direction: 'below' as const,
    source: 'bid' as const,
  };
  const seen = { priceMicros: 390_000n, at: new Date() };
  let empty: Awaited<ReturnType<typeof openEmptyDatabase>>;
  beforeAll(async () => {
    empty = await openEmptyDatabase(inject('sandbox').databaseUrl);
  });
  afterAll(() => empty.close());
  beforeEach(async () => {
    const { orm } = empty.database;
    await orm.delete(priceAlerts);
    await orm.delete(notificationMessages);
    await orm.insert(priceAlerts).values(alert);
  });

  it('given two processors that see the price at once, one of them fires', async () => {
    const source = createAlertTriggers(empty.database);
    expect(await source.listOpen()).toMatchObject([{ id: alert.id, priceMicros: 400_000n }]);
    const fired = await Promise.all([1, 2, 3].map(() => source.fire(alert, seen)));
    expect(fired.filter(Boolean)).toHaveLength(1);
    expect(await source.listOpen()).toEqual([]);
  });

  it('given an alert that has expired or is deleted meanwhile, does nothing', async () => {
    const source = createAlertTriggers(empty.database);
    const { orm } = empty.database;
    await orm.update(priceAlerts).set({ expiresAt: new Date(Date.now() - 1_000) });
    expect(await source.fire(alert, seen)).toBe(false);
    await orm.delete(priceAlerts);
    expect(await source.fire(alert, seen)).toBe(false);
  });
});
