import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OrderCreated, OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import {
  WEBHOOK_EVENT_TYPES,
  type WebhookCreated,
  type WebhookDeliveryList,
  type WebhookDeliveryResponse,
  type WebhookList,
  type WebhookPayload,
  type WebhookResponse,
  type WebhookSecret,
  webhookPayloadSchema,
} from '#lib/api/schemas/webhook.ts';
import {
  newTrader,
  newWallet,
  openMarket,
  openSession,
  orderBody,
  type Session,
  signIn,
  type Trader,
  whenComplete,
} from '#server/api/testing/apiSession.ts';
import { type ReceivedMessage, type Receiver, startReceiver } from '../testing/receiver.ts';

const EVENT_TYPES = new Set<string>(WEBHOOK_EVENT_TYPES);

let session: Session;
let trader: Trader;
let receiver: Receiver;

beforeAll(async () => {
  session = await openSession();
  trader = await newTrader(session);
});

beforeEach(async () => {
  receiver = await startReceiver();
  return () => receiver.close();
});

const open: { id: string; token: string }[] = [];
afterAll(async () => {
  for (const { id, token } of open) {
    await session.send('DELETE', `/v1/webhooks/${id}`, { token });
  }
});

async function create(
  body: { url?: string; eventTypes?: string[] } = {},
  token = trader.token,
): Promise<WebhookCreated> {
  const response = await session.send('POST', '/v1/webhooks', {
    body: { url: `${receiver.url}/hook`, ...body },
    token,
  });
  expect(response.status, response.text).toBe(201);
  const created = response.body as WebhookCreated;
  open.push({ id: created.webhook.id, token });
  return created;
}

const send = (method: string, path: string, body?: object) =>
  session.send(method, path, { token: trader.token, body });

function verified(message: ReceivedMessage, secret: string): WebhookPayload {
  const payload: unknown = new StandardWebhook(secret).verify(
    message.body,
    message.headers as Record<string, string>,
  );
  return webhookPayloadSchema.parse(payload);
}

const receivedAtLeast = (count: number) =>
  vi.waitUntil(() => receiver.received.length >= count, { timeout: 120_000, interval: 50 });

async function buy(client = trader): Promise<string> {
  const { ticker } = await openMarket(session);
  const body = orderBody(client, { ticker, side: 'no', contracts: '1', buyForAtMost: '1' });
  const created = await session.send('POST', '/v1/order', { body, token: client.token });
  const { id } = (created.body as OrderCreated).intent;
  await whenComplete(session, id, client.token);
  return id;
}

describe('an order’s events', () => {
  it('arrive in order, each once, with signatures that the published library accepts', async () => {
    const { secret } = await create();
    const id = await buy();
    const { body } = await session.send('GET', `/v1/order/${id}`, { token: trader.token });
    const steps = (body as OrderRecordWithEvents).events.map(({ type }) => `order.${type}`);
    const expected = steps.filter((type) => EVENT_TYPES.has(type));
    expect(expected).toEqual(expect.arrayContaining(['order.created', 'order.completed']));
    await receivedAtLeast(expected.length);
    const messages = receiver.received.map((message) => verified(message, secret));
    expect(messages.map((one) => one.type)).toEqual(expected);
    for (const message of messages) {
      expect('order' in message.data && message.data.order.id).toBe(id);
    }
    const ids = receiver.received.map((one) => one.headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('reach only its owner’s webhooks, and only the types they want', async () => {
    const stranger = await signIn(session, newWallet());
    await create({}, stranger);
    await create({ url: `${receiver.url}/failures`, eventTypes: ['order.failed'] });
    const { webhook } = await create({
      url: `${receiver.url}/ends`,
      eventTypes: ['order.completed'],
    });
    const id = await buy();
    await receivedAtLeast(1);
    expect(receiver.received.map((one) => one.path)).toEqual(['/ends']);
    expect(receiver.received[0]?.body).toContain(id);
    const path = `/v1/webhooks/${webhook.id}/deliveries?status=delivered`;
    const delivered = await vi.waitUntil(async () => {
      const { deliveries } = (await send('GET', path)).body as WebhookDeliveryList;
      return deliveries.length > 0 ? deliveries : undefined;
    });
    expect(delivered).toMatchObject([{ type: 'order.completed' }]);
  });

  it('reach the webhook of the key that placed it', async () => {
    const made = await session.send('POST', '/v1/keys', {
      body: { name: 'of a platform', scopes: ['read', 'trade'] },
      token: trader.token,
    });
    const { secret: key } = made.body as { secret: string };
    const created = await session.send('POST', '/v1/webhooks', {
      key,
      body: { url: receiver.url, eventTypes: ['order.created'] },
    });
    const { webhook } = created.body as WebhookCreated;
    expect(webhook.subject).toMatchObject({ type: 'apiKey', ownerAddress: null });
    await buy();
    const { ticker } = await openMarket(session);
    const body = orderBody(trader, { ticker, side: 'yes', contracts: '1', buyForAtMost: '1' });
    const order = await session.send('POST', '/v1/order', { key, body, token: trader.token });
    const { id } = (order.body as OrderCreated).intent;
    await receivedAtLeast(1);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.body).toContain(id);
    await session.send('DELETE', `/v1/webhooks/${webhook.id}`, { key });
  });
});

describe('a message that does not arrive', () => {
  it('is sent again, the same bytes under the same id, and the log lists both attempts', async () => {
    let asked = 0;
    receiver.respondWith(() => ({ status: ++asked === 1 ? 500 : 200 }));
    const { webhook, secret } = await create({ eventTypes: ['webhook.test'] });
    const { body } = await send('POST', `/v1/webhooks/${webhook.id}/test`);
    const { delivery } = body as WebhookDeliveryResponse;
    expect(delivery).toMatchObject({ status: 'pending', type: 'webhook.test', attempts: [] });
    await receivedAtLeast(2);
    const [first, second] = receiver.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    for (const message of receiver.received) verified(message, secret);
    const path = `/v1/webhooks/${webhook.id}/deliveries/${delivery.id}`;
    const read = await vi.waitUntil(async () => {
      const response = (await send('GET', path)).body as WebhookDeliveryResponse;
      return response.delivery.status === 'delivered' ? response.delivery : undefined;
    });
    expect(read.attempts.map((one) => one.statusCode)).toEqual([500, 200]);
    expect(read.attempts[0]?.error).toContain('500');
    expect(read.payload).toBe(first?.body);

    await send('POST', `${path}/replay`);
    await receivedAtLeast(3);
    expect(receiver.received[2]?.headers['webhook-id']).toBe(delivery.messageId);
    expect(receiver.received[2]?.body).toBe(first?.body);
  });

  it('does not follow a redirect', async () => {
    const inner = await startReceiver();
    receiver.respondWith(() => ({ status: 307, location: inner.url }));
    const { webhook } = await create({ eventTypes: ['webhook.test'] });
    await send('POST', `/v1/webhooks/${webhook.id}/test`);
    const failed = await vi.waitUntil(
      async () => {
        const { body } = await send('GET', `/v1/webhooks/${webhook.id}/deliveries`);
        return (body as WebhookDeliveryList).deliveries[0]?.lastAttempt ?? undefined;
      },
      { timeout: 120_000 },
    );
    expect(failed).toMatchObject({ statusCode: 307, error: 'responded with status 307' });
    expect(inner.received).toEqual([]);
    await inner.close();
  });

  it('disables a webhook whose target is gone', async () => {
    receiver.respondWith(() => ({ status: 410 }));
    const { webhook } = await create({ eventTypes: ['webhook.test'] });
    await send('POST', `/v1/webhooks/${webhook.id}/test`);
    const path = `/v1/webhooks/${webhook.id}`;
    const disabled = await vi.waitUntil(
      async () => {
        const { webhook: now } = (await send('GET', path)).body as WebhookResponse;
        return now.status === 'disabled' ? now : undefined;
      },
      { timeout: 120_000 },
    );
    expect(disabled).toMatchObject({ disabledReason: 'gone' });
    const refused = await session.refuse('POST', `${path}/test`, { token: trader.token });
    expect(refused).toMatchObject({ status: 409, code: 'webhook_disabled' });
    receiver.respondWith(() => ({ status: 200 }));
    const enabled = (await send('PATCH', path, { status: 'enabled' })).body as WebhookResponse;
    expect(enabled.webhook).toMatchObject({ status: 'enabled', disabledReason: null });
    await send('POST', `${path}/test`);
    await receivedAtLeast(2);
  });
});

describe('the secret', () => {
  it('can be read and rotated; for a while both sign', async () => {
    const { webhook, secret } = await create({ eventTypes: ['webhook.test'] });
    const path = `/v1/webhooks/${webhook.id}`;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await send('GET', `${path}/secret`)).body).toEqual({ secret });
    const { body } = await send('POST', `${path}/rotate`, { overlapSeconds: 60 });
    const { secret: fresh } = body as WebhookSecret;
    expect(fresh).not.toBe(secret);
    await send('POST', `${path}/test`);
    await receivedAtLeast(1);
    const [message] = receiver.received;
    if (!message) throw new Error('nothing was received');
    verified(message, secret);
    verified(message, fresh);
    await send('POST', `${path}/rotate`, { overlapSeconds: 0 });
    await send('POST', `${path}/test`);
    await receivedAtLeast(2);
    const [, later] = receiver.received;
    expect(() => later && verified(later, fresh)).toThrow();
    expect(JSON.stringify((await send('GET', path)).body)).not.toContain('whsec_');
  });
});

describe('webhooks belong to the caller that made them', () => {
  it('404: for all other callers', async () => {
    const { webhook } = await create();
    const stranger = await signIn(session, newWallet());
    const path = `/v1/webhooks/${webhook.id}`;
    for (const [method, target] of [
      ['GET', path],
      ['PATCH', path],
      ['DELETE', path],
      ['GET', `${path}/secret`],
      ['POST', `${path}/rotate`],
      ['POST', `${path}/test`],
      ['GET', `${path}/deliveries`],
      ['GET', `${path}/deliveries/dlv_1`],
      ['POST', `${path}/deliveries/dlv_1/replay`],
    ] as const) {
      for (const token of [stranger, undefined]) {
        const refused = await session.refuse(method, target, {
          ...(token === undefined ? {} : { token }),
          ...(['PATCH', 'POST'].includes(method) ? { body: {} } : {}),
        });
        expect(refused, `${method} ${target}`).toMatchObject({
          status: 404,
          code: 'webhook_not_found',
        });
      }
    }
    const { body } = await session.send('GET', '/v1/webhooks', { token: stranger });
    expect((body as WebhookList).webhooks).toEqual([]);
  });

  it('200: deleted, with its log', async () => {
    const { webhook } = await create();
    const path = `/v1/webhooks/${webhook.id}`;
    await send('POST', `${path}/test`);
    expect((await send('DELETE', path)).body).toEqual({ success: true, id: webhook.id });
    expect((await session.refuse('GET', path, { token: trader.token })).status).toBe(404);
  });
});

describe('POST /v1/webhooks refuses', () => {
  it.each([
    'http://10.0.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://100.64.0.1/',
    'http://0.0.0.0:3000/',
    'https://user:password@example.com/',
    'gopher://127.0.0.1/',
    'https://no-such-host.invalid/',
    'not a url',
  ])('422: %s', async (url) => {
    const refused = await session.refuse('POST', '/v1/webhooks', {
      body: { url },
      token: trader.token,
    });
    expect(refused).toMatchObject({ status: 422, code: 'target_not_allowed' });
    expect(refused.errors.map((one) => one.pointer)).toEqual(['/url']);
  });

  it('400: invalid requests', async () => {
    for (const [body, pointer] of [
      [{}, '/url'],
      [{ url: receiver.url, eventTypes: ['order.*'] }, '/eventTypes/0'],
      [{ url: receiver.url, secret: 'mine' }, '/secret'],
      [{ url: receiver.url, description: 'x'.repeat(201) }, '/description'],
    ] as const) {
      const refused = await session.refuse('POST', '/v1/webhooks', { body, token: trader.token });
      expect(refused.errors.map((one) => one.pointer)).toContain(pointer);
    }
  });

  it('422: more webhooks than the limit', async () => {
    const token = await signIn(session, newWallet());
    for (let made = 0; made < 20; made++) await create({}, token);
    const refused = await session.refuse('POST', '/v1/webhooks', {
      body: { url: receiver.url },
      token,
    });
    expect(refused).toMatchObject({ status: 422, code: 'limit_reached' });
  });
});
