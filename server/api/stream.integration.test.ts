import { get, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OrderCreated } from '#lib/api/schemas/order.ts';
import {
  type StreamChannel,
  type StreamEvent,
  streamDataSchemas,
} from '#lib/api/schemas/stream.ts';
import { streamEvents } from '#lib/api/stream.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import {
  newTrader,
  openMarket,
  openSession,
  orderBody,
  type Session,
  type Trader,
  whenComplete,
} from './testing/apiSession.ts';

let session: Session;
let trader: Trader;

beforeAll(async () => {
  session = await openSession();
  trader = await newTrader(session);
});

async function place(by: Trader): Promise<string> {
  const { ticker } = await openMarket(session);
  const body = orderBody(by, { ticker, side: 'yes', contracts: '1', buyForAtMost: '1' });
  const created = await session.send('POST', '/v1/order', { body, token: by.token });
  return (created.body as OrderCreated).intent.id;
}

/** A key that has made nothing, so that only the wallet's own orders are heard. */
async function quietKey(by: Trader): Promise<string> {
  const { body } = await session.send('POST', '/v1/keys', {
    body: { name: 'listens' },
    token: by.token,
  });
  return (body as { secret: string }).secret;
}

type Listening = { events: StreamEvent[]; received: Promise<void>; stop: () => void };

/** Listens until `enough`, checking every event against its shape. */
async function listen(
  by: Trader,
  enough: (events: StreamEvent[]) => boolean,
  options: { tickers?: string[]; channels?: StreamChannel[]; lastEventId?: string } = {},
): Promise<Listening> {
  const apiKey = await quietKey(by);
  const control = new AbortController();
  const events: StreamEvent[] = [];
  const stream = streamEvents(
    { baseUrl: session.baseUrl, apiKey, token: by.token },
    { ...options, signal: control.signal },
  );
  const received = (async () => {
    for await (const event of stream) {
      streamDataSchemas[event.type].parse(event.data);
      events.push(event);
      if (enough(events)) break;
    }
    control.abort();
  })();
  return { events, received, stop: () => control.abort() };
}

const orderSteps = (events: StreamEvent[], id: string) =>
  events.flatMap((event) =>
    event.type === 'order' && event.data.order.id === id ? [event.data.event.type] : [],
  );
const isOver = (events: StreamEvent[]) =>
  events.some((event) => event.type === 'order' && event.data.order.isComplete);

const idOf = (event: StreamEvent | undefined) => event?.id ?? '';

describe('GET /v1/stream', () => {
  it('sends every step of the owner’s orders, in order, and no other’s', async () => {
    const stranger = await newTrader(session);
    // The first events may come before the order has an id.
    let id = '';
    const listening = await listen(
      trader,
      (events) => orderSteps(events, id).includes('completed'),
      {
        lastEventId: '0',
      },
    );
    const foreign = await place(stranger);
    id = await place(trader);
    await listening.received;
    const { events } = await whenComplete(session, id, trader.token);
    expect(orderSteps(listening.events, id)).toEqual(events.map((event) => event.type));
    expect(orderSteps(listening.events, foreign)).toEqual([]);
  });

  it('resumes after the last received event: nothing twice, nothing lost', async () => {
    const before = await listen(trader, isOver, { lastEventId: '0' });
    await before.received;
    const cut = 2;
    const whole = await whenComplete(session, await place(trader), trader.token);
    const all = await listen(
      trader,
      (events) => orderSteps(events, whole.id).includes('completed'),
      {
        lastEventId: '0',
      },
    );
    await all.received;
    const first = all.events.slice(0, cut);
    const rest = await listen(
      trader,
      (events) => orderSteps(events, whole.id).includes('completed'),
      {
        lastEventId: idOf(first.at(-1)),
      },
    );
    await rest.received;
    expect([...first, ...rest.events].map(idOf)).toEqual(all.events.map(idOf));
  });

  it('given tickers, sends their markets when they move', async () => {
    const { markets } = await session.client.listMarkets({ limit: 200 });
    const tickers = markets.map((market) => market.ticker);
    const listening = await listen(
      trader,
      (events) => events.some((event) => event.type === 'market'),
      { tickers },
    );
    await listening.received;
    const received = listening.events.find((event) => event.type === 'market');
    expect(tickers).toContain(received?.type === 'market' ? received.data.ticker : '');
  });

  it('given channels, sends the book, its changes and the trades of a market, and nothing else', async () => {
    const { ticker } = await openMarket(session);
    const isTrade = (event: StreamEvent) => event.type === 'trade';
    const listening = await listen(trader, (events) => events.some(isTrade), {
      tickers: [ticker],
      channels: ['book', 'trade'],
    });
    const isComplete = (event: StreamEvent) =>
      event.type === 'book' && event.data.kind === 'snapshot';
    await expect.poll(() => listening.events.some(isComplete)).toBe(true);
    await place(trader);
    await listening.received;
    // The owner's own orders and transfers come on every stream.
    const ofMarket = listening.events.filter(({ type }) => type !== 'order' && type !== 'account');
    expect(new Set(ofMarket.map((event) => event.type))).toEqual(new Set(['book', 'trade']));
    const versions = ofMarket.flatMap((event) => (event.type === 'book' ? event.data.version : []));
    expect(versions).toEqual(versions.map((_, index) => (versions[0] ?? 0) + index));
  });

  it('given a transfer to the owner’s account, sends an event', async () => {
    await whenComplete(session, await place(trader), trader.token);
    const listening = await listen(trader, (events) =>
      events.some((event) => event.type === 'account'),
    );
    // The stream may still be opening when the first of them arrives.
    const received = await pollUntil(
      async () => {
        await session.client.requestFunds(trader.wallet.address);
        return listening.events.find((event) => event.type === 'account');
      },
      { everyMs: 1_000 },
    );
    await listening.received;
    expect(received?.data).toEqual({ address: trader.account });
  });

  it('400: for a place that is none, and for more markets than it follows', async () => {
    const headers = { 'last-event-id': 'yesterday' };
    const refused = await session.refuse('GET', '/v1/stream', { headers });
    expect(refused.errors.map((one) => one.pointer)).toEqual(['/headers/last-event-id']);
    const many = Array.from({ length: 201 }, (_, index) => `M${index}`).join(',');
    const tooMany = await session.refuse('GET', `/v1/stream?tickers=${many}`);
    expect(tooMany.errors.map((one) => one.pointer)).toEqual(['/query/tickers']);
  });

  it('401: without a key', async () => {
    expect(await session.refuse('GET', '/v1/stream', { key: false })).toMatchObject({
      status: 401,
      code: 'api_key_missing',
    });
  });
});

function openRaw(headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(`${session.baseUrl}/v1/stream`, { headers, agent: false }, resolve);
    request.on('error', reject);
  });
}

it('says that it is still there while nothing happens', {
  tags: ['long'],
}, async () => {
  const response = await openRaw({ 'x-api-key': await quietKey(await newTrader(session)) });
  let text = '';
  for await (const chunk of response as AsyncIterable<Buffer>) {
    text += chunk.toString('utf8');
    if (text.includes(': still here')) break;
  }
  response.destroy();
  expect(text).toContain('retry: ');
});

it('429: one wallet has so many streams with all its keys, and others have room', {
  tags: ['long'],
}, async () => {
  const apiKey = await quietKey(trader);
  const open: IncomingMessage[] = [];
  for (;;) {
    const response = await openRaw({ 'x-api-key': apiKey });
    if (response.statusCode !== 200) {
      expect(response.statusCode).toBe(429);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      response.resume();
      break;
    }
    open.push(response);
    expect(open.length).toBeLessThanOrEqual(1_000);
  }
  expect(open.length).toBe(1_000);
  const statusWith = async (headers: Record<string, string>) => {
    const response = await openRaw(headers);
    open.push(response);
    return response.statusCode;
  };
  expect(await statusWith({ 'x-api-key': await quietKey(trader) })).toBe(429);
  const other = await newTrader(session);
  const own = await quietKey(other);
  expect(await statusWith({ 'x-api-key': own, authorization: `Bearer ${trader.token}` })).toBe(429);
  expect(await statusWith({ 'x-api-key': own })).toBe(200);
  for (const response of open) response.destroy();
});
