import { importJWK, type JWTPayload, jwtVerify } from 'jose';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PushState, PushSubscribed, SubscribePushRequest } from '#lib/api/schemas/push.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import type { TestBrowser } from '#sandbox/testing/pushBrowser.ts';
import {
  type PushedMessage,
  type PushService,
  startPushService,
} from '#sandbox/testing/pushService.ts';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import { createTrader, fetchToken, type Trader, untilComplete } from '#sandbox/testing/trader.ts';
import { buyOn, placeOn, takeMarket } from '#sandbox/testing/trades.ts';
import { newWallet, openSession, type Session, signIn } from '#server/api/testing/apiSession.ts';
import type { PushNotification } from './texts.ts';

const sandbox = sandboxUnderTest();
const buy = buyOn(sandbox);
const place = placeOn(sandbox);

let session: Session;
let trader: Trader;
let token: string;
let service: PushService;

beforeAll(async () => {
  session = await openSession();
  trader = await createTrader(sandbox);
  token = await fetchToken(session.client, trader.wallet);
});

beforeEach(async () => {
  service = await startPushService();
  return async () => {
    for (const { id } of (await stateOf()).subscriptions) {
      await session.send('DELETE', `/v1/push/${id}`, { token });
    }
    await service.close();
  };
});

async function stateOf(of = token): Promise<PushState> {
  const response = await session.send('GET', '/v1/push', { token: of });
  expect(response.status, response.text).toBe(200);
  return response.body as PushState;
}

async function subscribe(request: SubscribePushRequest, as = token) {
  const response = await session.send('POST', '/v1/push', { body: request, token: as });
  expect(response.status, response.text).toBe(201);
  return (response.body as PushSubscribed).subscription;
}

const refuse = (request: object, as = token) =>
  session.refuse('POST', '/v1/push', { body: request, token: as });

async function newBrowser(): Promise<TestBrowser> {
  const { browser, request } = service.newBrowser();
  await subscribe(request);
  return browser;
}

const pushed = (count: number) =>
  vi.waitUntil(() => service.received.length >= count, { timeout: 120_000, interval: 50 });

const shown = (browser: TestBrowser, message: PushedMessage | undefined) =>
  JSON.parse(browser.read(message?.body ?? Buffer.alloc(0))) as PushNotification;

/** As a push service does it: with the key that the browser was subscribed with. */
async function verified({ headers }: PushedMessage, publicKey: string): Promise<JWTPayload> {
  const [, jwt = '', key = ''] =
    /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  expect(key).toBe(publicKey);
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString('base64url'),
  );
  const verifier = await importJWK({ kty: 'EC', crv: 'P-256', x, y } as never, 'ES256');
  return (await jwtVerify(jwt, verifier)).payload;
}

describe('a browser', () => {
  it('is notified once of a filled order, encrypted for it and signed with the key it knows', async () => {
    const browser = await newBrowser();
    const ticker = await takeMarket(trader);
    const order = await buy(trader, ticker, 'yes', '2');
    await pushed(1);
    const [message] = service.received;
    if (!message) throw new Error('nothing was pushed');
    expect(shown(browser, message)).toMatchObject({
      title: expect.stringMatching(/^Bought 2 Yes for \$\d+\.\d\d$/),
      body: expect.stringMatching(/\w/),
      path: `/orders/${order.id}`,
      tag: `order:${order.id}`,
    });
    expect(message.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      urgency: 'normal',
      topic: expect.stringMatching(/^[\w-]{32}$/),
    });
    expect(Number(message.headers.ttl)).toBeGreaterThan(3_600);
    expect(message.body.toString('latin1')).not.toContain('Bought');
    const { publicKey } = await stateOf();
    expect(await verified(message, publicKey ?? '')).toMatchObject({ aud: service.origin });
    // Any other message on its way would have arrived before this one.
    await buy(trader, ticker, 'yes', '1');
    await pushed(2);
    expect(service.received.map((one) => shown(browser, one).title.slice(0, 8))).toEqual([
      'Bought 2',
      'Bought 1',
    ]);
  });

  it('is notified of a failed order and of a withdrawal', { tags: ['long'] }, async () => {
    const browser = await newBrowser();
    const ticker = await takeMarket(trader);
    const trade = {
      direction: 'BUY',
      ticker,
      side: 'no',
      contracts: '4',
      quoteLimit: '0.4',
    } as const;
    const failed = await place(trader, trade);
    expect(failed.status).toBe('failed');
    await pushed(1);
    expect(shown(browser, service.received[0])).toMatchObject({
      title: expect.stringMatching(/^Buy 4 No failed/),
      path: `/orders/${failed.id}`,
    });
    const { intent } = await trader.api.withdraw({
      intentType: 'Withdraw',
      destinationAddress: trader.wallet.address,
      amount: '12.5',
      tokenType: 'erc20',
      tokenAddress: sandbox.contracts.usdc,
    });
    await untilComplete(trader, intent.id);
    await pushed(2);
    expect(shown(browser, service.received[1])).toMatchObject({
      title: 'Withdrawal of $12.50 sent',
      path: `/orders/${intent.id}`,
    });
  });

  it('is notified of the result of a market in which its owner holds contracts', async () => {
    const ticker = await takeMarket(trader);
    await buy(trader, ticker, 'yes', '2');
    await buy(trader, ticker, 'no', '1');
    const browser = await newBrowser();
    await controlExchange(sandbox, 'settle', { ticker, result: 'yes' });
    await pushed(2);
    const notifications = service.received.map((one) => shown(browser, one));
    expect(notifications.map(({ title }) => title).toSorted()).toEqual([
      'Your 1 No did not win',
      expect.stringMatching(/^Your 2 Yes resolved; (payout \$2\.00|\$2\.00 to redeem)$/),
    ]);
    expect(new Set(notifications.map(({ tag }) => tag)).size).toBe(2);
  });

  it('of another owner is not notified', async () => {
    const stranger = await signIn(session, newWallet());
    const other = service.newBrowser();
    await subscribe(other.request, stranger);
    const browser = await newBrowser();
    await buy(trader, await takeMarket(trader), 'no', '1');
    await pushed(1);
    expect(shown(browser, service.received[0]).title).toMatch(/^Bought 1 No/);
    const paths = service.received.map(({ path }) => `${service.origin}${path}`);
    expect(paths).not.toContain(other.request.endpoint);
  });

  it('is removed once its push service says that it is gone', async () => {
    service.respondWith({ status: 410 });
    await newBrowser();
    await buy(trader, await takeMarket(trader), 'yes', '1');
    await pushed(1);
    await vi.waitUntil(async () => (await stateOf()).subscriptions.length === 0, {
      timeout: 120_000,
    });
  });

  it('is tried again after as long as its push service asks', { tags: ['long'] }, async () => {
    service.respondWith({ status: 429, headers: { 'retry-after': '1' } });
    const browser = await newBrowser();
    await buy(trader, await takeMarket(trader), 'yes', '1');
    await pushed(1);
    service.respondWith({ status: 201 });
    await pushed(2);
    expect(shown(browser, service.received[1])).toEqual(shown(browser, service.received[0]));
    // Each under a key and a salt of its own.
    expect(service.received[1]?.body).not.toEqual(service.received[0]?.body);
  });
});

describe('/v1/push', () => {
  it('201: subscribing twice changes nothing; the address is never returned', async () => {
    const { request } = service.newBrowser();
    const first = await subscribe(request);
    expect(await subscribe(request)).toEqual(first);
    const response = await session.send('GET', '/v1/push', { token });
    expect((response.body as PushState).subscriptions).toEqual([first]);
    const { text } = await session.send('GET', '/v1/account/data', { token });
    for (const shownText of [response.text, text]) {
      expect(shownText).toContain(first.id);
      expect(shownText).not.toContain(new URL(request.endpoint).pathname);
      expect(shownText).not.toContain(request.keys.auth);
    }
  });

  it('404: the browser of another owner cannot be seen, removed or taken over', async () => {
    const stranger = await signIn(session, newWallet());
    const { request } = service.newBrowser();
    const { id } = await subscribe(request);
    expect((await stateOf(stranger)).subscriptions).toEqual([]);
    expect(await session.refuse('DELETE', `/v1/push/${id}`, { token: stranger })).toMatchObject({
      status: 404,
      code: 'subscription_not_found',
    });
    const guessed = { ...request, keys: service.newBrowser().request.keys };
    expect(await refuse(guessed, stranger)).toMatchObject({
      status: 409,
      code: 'action_not_possible',
    });
    expect((await stateOf()).subscriptions).toMatchObject([{ id }]);
  });

  it('201: a browser belongs to the owner who signed in there last', async () => {
    const next = await signIn(session, newWallet());
    const { request } = service.newBrowser();
    await subscribe(request);
    const taken = await subscribe(request, next);
    expect((await stateOf()).subscriptions).toEqual([]);
    expect((await stateOf(next)).subscriptions).toEqual([taken]);
  });

  it('422: nothing is sent into our own network, or over plain http to others', async () => {
    const { request } = service.newBrowser();
    for (const endpoint of [
      'https://10.0.0.7/send',
      'https://169.254.169.254/latest/meta-data',
      'https://[fd00::1]/send',
      'ftp://push.example/send',
      'https://user:word@push.example/send',
      'nowhere',
    ]) {
      const refused = await refuse({ ...request, endpoint });
      expect(refused, endpoint).toMatchObject({ status: 422, code: 'target_not_allowed' });
      expect(refused.errors.map(({ pointer }) => pointer)).toEqual(['/endpoint']);
    }
  });

  it('400: keys that no browser has are refused', async () => {
    const { request } = service.newBrowser();
    const off = Buffer.from(request.keys.p256dh, 'base64url').fill(7, 1).toString('base64url');
    for (const keys of [
      { ...request.keys, p256dh: off },
      { ...request.keys, p256dh: 'short' },
    ]) {
      expect((await refuse({ ...request, keys })).errors).toMatchObject([
        { pointer: expect.stringMatching(/keys\/p256dh$/) },
      ]);
    }
    expect(await refuse({ ...request, keys: { ...request.keys, auth: 'x' } })).toMatchObject({
      status: 400,
    });
    expect(await refuse({ ...request, also: 1 })).toMatchObject({ status: 400 });
  });

  it('422: more than ten browsers', async () => {
    for (let made = 0; made < 10; made++) await subscribe(service.newBrowser().request);
    const { request } = service.newBrowser();
    expect(await refuse(request)).toMatchObject({ status: 422, code: 'limit_reached' });
    const [last] = (await stateOf()).subscriptions;
    await session.send('DELETE', `/v1/push/${last?.id}`, { token });
    await subscribe(request);
  });

  it('401: takes a signed-in wallet; signing out everywhere ends them all', async () => {
    expect(await session.refuse('GET', '/v1/push')).toMatchObject({ status: 401 });
    const wallet = newWallet();
    const leaving = await signIn(session, wallet);
    await subscribe(service.newBrowser().request, leaving);
    await session.send('DELETE', '/v1/auth/sessions', { token: leaving });
    expect((await stateOf(await signIn(session, wallet))).subscriptions).toEqual([]);
  });
});
