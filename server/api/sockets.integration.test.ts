import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { OrderCreated } from '#lib/api/schemas/order.ts';
import {
  type BookEvent,
  type SocketCommand,
  socketReplySchemas,
  streamDataSchemas,
} from '#lib/api/schemas/stream.ts';
import {
  newTrader,
  openMarket,
  openSession,
  orderBody,
  type Session,
  type Trader,
} from './testing/apiSession.ts';

type Message = { type: string; ref?: string; id?: string; data?: Record<string, unknown> };

let session: Session;
let trader: Trader;
let key: string;
let tickers: string[];

beforeAll(async () => {
  session = await openSession();
  trader = await newTrader(session);
  const created = await session.send('POST', '/v1/keys', {
    body: { name: 'listens' },
    token: trader.token,
  });
  key = (created.body as { secret: string }).secret;
  const { markets } = await session.client.listMarkets({ limit: 5 });
  tickers = markets.map((market) => market.ticker);
});

/** A connection, and every message on it, each checked against its shape. */
function connect(query = '', headers: Record<string, string> = {}) {
  const url = `${session.baseUrl.replace(/^http/, 'ws')}/v1/ws${query}`;
  const socket = new WebSocket(url, { headers });
  const messages: Message[] = [];
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as Message;
    const { type } = message;
    if (type in streamDataSchemas) {
      streamDataSchemas[type as keyof typeof streamDataSchemas].parse(message.data);
    } else socketReplySchemas[type as keyof typeof socketReplySchemas].parse(message);
    messages.push(message);
  });
  socket.on('error', () => undefined);
  return {
    socket,
    messages,
    send: (command: SocketCommand) => socket.send(JSON.stringify(command)),
    of: (type: string) => messages.filter((one) => one.type === type),
    closed: new Promise<number>((resolve) => {
      socket.on('close', (code) => resolve(code));
    }),
  };
}

const completed = expect.objectContaining({
  event: expect.objectContaining({ type: 'completed' }),
});
const withKey = (query = '') => connect(query, { 'x-api-key': key });
const patiently = { timeout: 120_000 };
const booksOf = (messages: Message[]) => messages.map((one) => one.data as BookEvent);

/** The handshake's refusal. */
async function refusalOf(headers: Record<string, string>): Promise<number | undefined> {
  const { socket } = connect('', headers);
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    { statusCode?: number },
  ];
  socket.terminate();
  return response.statusCode;
}

describe('a WebSocket at /v1/ws', () => {
  it('given a key in the handshake, is ready, and sends what the query follows', async () => {
    const client = withKey(`?tickers=${tickers.join()}&channels=book,price`);
    await expect.poll(() => client.of('book').length, patiently).toBeGreaterThan(4);
    expect(client.of('ready')).toHaveLength(1);
    expect(client.messages[0]?.type).toBe('ready');
    await expect
      .poll(
        () => new Set(booksOf(client.of('book')).map(({ kind, ticker }) => `${kind} ${ticker}`)),
        patiently,
      )
      .toContain(`snapshot ${tickers[0]}`);
    expect(client.of('market')).toEqual([]);
    client.socket.terminate();
  });

  it('given a command as soon as it opens, carries it out', async () => {
    const client = withKey();
    await once(client.socket, 'open');
    client.send({ type: 'ping', ref: 'early' });
    await expect.poll(() => client.messages.map(({ type }) => type), patiently).toContain('pong');
    expect(client.messages[0]?.type).toBe('ready');
    client.socket.terminate();
  });

  it('given a first message with a key, as from a browser, is ready', async () => {
    const client = connect();
    await once(client.socket, 'open');
    client.send({ type: 'authenticate', ref: 'a', apiKey: key, token: trader.token });
    await expect.poll(() => client.messages, patiently).toContainEqual({ type: 'ready', ref: 'a' });
    client.send({ type: 'ping', ref: 'b' });
    await expect.poll(() => client.messages).toContainEqual({ type: 'pong', ref: 'b' });
    client.socket.terminate();
  });

  it('given that a page was served, still opens', async () => {
    expect((await fetch(`${session.baseUrl}/developers`)).status).toBe(200);
    const client = withKey();
    await expect.poll(() => client.of('ready').length, patiently).toBe(1);
    client.send({ type: 'ping', ref: 'after' });
    await expect.poll(() => client.of('pong').length, patiently).toBe(1);
    client.socket.terminate();
  });

  it('subscribes and unsubscribes, and names tickers of no market', async () => {
    const client = withKey();
    await expect.poll(() => client.of('ready').length, patiently).toBe(1);
    const [ticker = ''] = tickers;
    const followed = {
      channels: ['book' as const, 'trade' as const],
      tickers: [ticker, 'NO-SUCH'],
    };
    client.send({ type: 'subscribe', ref: '1', ...followed });
    await expect
      .poll(() => client.of('subscribed'), patiently)
      .toEqual([{ type: 'subscribed', ref: '1', data: { count: 1, unknown: ['NO-SUCH'] } }]);
    await expect
      .poll(() => booksOf(client.of('book')).map(({ kind }) => kind), patiently)
      .toContain('snapshot');
    client.send({ type: 'unsubscribe', ref: '2', ...followed });
    await expect
      .poll(() => client.of('unsubscribed'))
      .toEqual([{ type: 'unsubscribed', ref: '2', data: { count: 0 } }]);
    client.socket.terminate();
  });

  it('sends every step of the owner’s orders, with ids to resume from', async () => {
    const client = connect('', { 'x-api-key': key, authorization: `Bearer ${trader.token}` });
    await expect.poll(() => client.of('ready').length, patiently).toBe(1);
    const { ticker } = await openMarket(session);
    const body = orderBody(trader, { ticker, side: 'yes', contracts: '1', buyForAtMost: '1' });
    const created = await session.send('POST', '/v1/order', { body, token: trader.token });
    const { id } = (created.body as OrderCreated).intent;
    const stepsOf = (messages: Message[]) =>
      messages.filter((one) => (one.data?.order as { id: string } | undefined)?.id === id);
    await expect
      .poll(() => stepsOf(client.of('order')), patiently)
      .toContainEqual(expect.objectContaining({ data: completed }));
    client.socket.terminate();

    const idsOf = (messages: Message[]) => stepsOf(messages).map((one) => one.id);
    const [first, ...later] = idsOf(client.of('order'));
    const resumed = connect();
    await once(resumed.socket, 'open');
    resumed.send({
      type: 'authenticate',
      apiKey: key,
      token: trader.token,
      lastEventId: first ?? '',
    });
    await expect.poll(() => idsOf(resumed.of('order')), patiently).toEqual(later);
    resumed.socket.terminate();
  });

  it('refuses wrong credentials in the handshake with their status', async () => {
    expect(await refusalOf({ 'x-api-key': 'crossbook_sk_wrong' })).toBe(401);
    expect(await refusalOf({ 'x-api-key': key, authorization: 'Bearer none' })).toBe(401);
    expect(await refusalOf({ 'x-api-key': key, origin: 'https://elsewhere.example' })).toBe(403);
  });

  it('given wrong credentials in a message, says so and closes', async () => {
    const client = connect();
    await once(client.socket, 'open');
    client.send({ type: 'authenticate', ref: 'x', apiKey: 'crossbook_sk_wrong' });
    expect(await client.closed).toBe(1008);
    expect(client.messages).toMatchObject([
      { type: 'error', ref: 'x', data: { status: 401, code: 'api_key_invalid' } },
    ]);
  });

  it('given a subscription before any credentials, says so and closes', async () => {
    const client = connect();
    await once(client.socket, 'open');
    client.send({ type: 'subscribe', channels: ['book'], tickers });
    expect(await client.closed).toBe(1008);
    expect(client.messages).toMatchObject([{ type: 'error', data: { code: 'api_key_missing' } }]);
  });

  it('refuses messages that are not valid, and stays open', async () => {
    const client = withKey();
    await expect.poll(() => client.of('ready').length, patiently).toBe(1);
    client.socket.send('not json');
    client.socket.send(JSON.stringify({ type: 'subscribe', ref: 'r', channels: ['tea'], tickers }));
    client.socket.send(JSON.stringify({ type: 'sing' }));
    const many = Array.from({ length: 201 }, (_, index) => `M${index}`);
    client.send({ type: 'subscribe', channels: ['market'], tickers: many });
    await expect.poll(() => client.of('error').length, patiently).toBe(4);
    expect(client.of('error').map((one) => one.data?.code)).toEqual([
      'malformed_json',
      'invalid_request',
      'invalid_request',
      'invalid_request',
    ]);
    expect(client.of('error')[1]).toMatchObject({
      ref: 'r',
      data: { errors: [{ pointer: '/channels/0' }] },
    });
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    client.socket.terminate();
  });

  it('given too many messages at once, closes', async () => {
    const client = withKey();
    await expect.poll(() => client.of('ready').length, patiently).toBe(1);
    for (let count = 0; count < 100; count += 1) client.send({ type: 'ping' });
    expect(await client.closed).toBe(1008);
    expect(client.of('error')[0]).toMatchObject({ data: { code: 'rate_limited' } });
  });

  it('given a message that is too large, closes', async () => {
    const client = withKey();
    await expect.poll(() => client.of('ready').length, patiently).toBe(1);
    client.socket.send('x'.repeat(70_000));
    expect(await client.closed).toBe(1009);
  });

  it('ends with the session that it was opened with', async () => {
    const other = await newTrader(session);
    const client = connect('', { 'x-api-key': key, authorization: `Bearer ${other.token}` });
    await expect.poll(() => client.of('ready').length, patiently).toBe(1);
    await session.send('DELETE', '/v1/auth/sessions', { token: other.token });
    expect(await client.closed).toBe(1001);
  });

  it('426: for a plain request', async () => {
    expect(await session.refuse('GET', '/v1/ws')).toMatchObject({
      status: 426,
      code: 'upgrade_required',
    });
  });
});
