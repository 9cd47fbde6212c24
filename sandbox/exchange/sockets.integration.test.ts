import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { readExchangeState } from '#sandbox/testing/exchangeControl.ts';
import { checkSequence } from '#server/exchange/kalshi/channels.ts';
import { createSigner } from '#server/exchange/kalshi/signer.ts';
import { asWire, type Wire } from '#server/exchange/kalshi/wire.ts';
import { BUSY_TICKER, startTestExchange, type TestExchange } from './testing/testExchange.ts';

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await startTestExchange('ed25519');
});
afterAll(() => exchange?.remove());

/** Requests a WebSocket without a signature and disconnects before the rejection arrives. */
async function askAndCut(): Promise<void> {
  const { hostname, port } = new URL(exchange.url);
  const client = connect(Number(port), hostname);
  await once(client, 'connect');
  client.write(
    'GET /trade-api/ws/v2 HTTP/1.1\r\nHost: exchange\r\nConnection: Upgrade\r\n' +
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAA\r\n\r\n',
  );
  client.resetAndDestroy();
  await once(client, 'close');
}

it('given connections that break during their rejection, keeps running', async () => {
  for (let round = 0; round < 50; round += 1) await askAndCut();
  expect(await readExchangeState({ exchangeUrl: exchange.url })).toMatchObject({});
});

/** A connection, and the messages that it has received. */
async function listen() {
  const signer = createSigner(exchange.keyId, exchange.privateKeyPem);
  const headers = await signer('GET', new URL(exchange.wsUrl).pathname);
  const socket = new WebSocket(exchange.wsUrl, { headers });
  const received: Wire[] = [];
  socket.on('message', (data) => received.push(asWire(JSON.parse((data as Buffer).toString()))));
  await once(socket, 'open');
  const ask = (cmd: string, params: object) =>
    socket.send(JSON.stringify({ id: received.length + 1, cmd, params }));
  return { socket, received, ask };
}

/** Sends a signed request. */
async function send(method: string, path: string, body?: object): Promise<Wire> {
  const url = `${exchange.url}${path}`;
  const signer = createSigner(exchange.keyId, exchange.privateKeyPem);
  const headers = await signer(method, new URL(url).pathname);
  const init = body ? { body: JSON.stringify(body) } : {};
  return asWire(await (await fetch(url, { method, headers, ...init })).json());
}

it('numbers its replies in the sequence of their subscription', async () => {
  const { socket, received, ask } = await listen();
  await exchange.control('clock', { freeze: true });
  ask('subscribe', { channels: ['orderbook_delta'], market_tickers: [BUSY_TICKER] });
  await expect.poll(() => received.at(-1)?.type).toBe('orderbook_snapshot');
  const { sid } = received.at(-1) ?? {};
  ask('update_subscription', { sid, action: 'get_snapshot', market_tickers: [BUSY_TICKER] });
  const numbered = () => received.filter((one) => one.sid === sid && 'seq' in one);
  const snapshots = () => numbered().filter((one) => one.type === 'orderbook_snapshot');
  await expect.poll(() => snapshots().length).toBe(2);
  expect(numbered().map((one) => one.type)).toContain('ok');
  const sequences = new Map<number, number>();
  expect(new Set(numbered().map((one) => checkSequence(sequences, one)))).toEqual(
    new Set(['next']),
  );
  await exchange.control('clock', { run: true });
  socket.terminate();
});

it('numbers no messages about own orders and fills, though it numbers replies', async () => {
  const { socket, received, ask } = await listen();
  ask('subscribe', { channels: ['user_orders', 'fill'], market_tickers: [BUSY_TICKER] });
  await expect.poll(() => received.filter((one) => one.type === 'subscribed').length).toBe(2);
  const expiresAt = Math.floor(Date.now() / 1000) + 600;
  const place = async (price: string) =>
    await send('POST', '/portfolio/events/orders', {
      ticker: BUSY_TICKER,
      client_order_id: randomUUID(),
      side: 'bid',
      count: '2.00',
      price,
      time_in_force: 'good_till_canceled',
      self_trade_prevention_type: 'taker_at_cross',
      expiration_time: expiresAt,
    });
  const { order_id: resting } = await place('0.0100');
  await place('0.9900');
  await send('POST', `/portfolio/events/orders/${String(resting)}/decrease`, { reduce_by: '1.00' });
  await send('DELETE', `/portfolio/events/orders/${String(resting)}`);
  const own = (type: string) => received.filter((one) => one.type === type);
  await expect.poll(() => own('user_order').length).toBe(4);
  expect(own('user_order').map((one) => asWire(one.msg).last_update_reason)).toEqual([
    undefined,
    'Trade',
    'Decrease',
    undefined,
  ]);
  expect(own('user_order')[0]?.msg).toMatchObject({
    status: 'resting',
    expiration_ts_ms: expiresAt * 1_000,
  });
  expect(own('fill').length).toBeGreaterThan(0);
  expect([...own('user_order'), ...own('fill')].some((one) => 'seq' in one)).toBe(false);
  const { sid } = own('user_order')[0] ?? {};
  ask('update_subscription', { sid, action: 'add_markets', market_tickers: ['KXPRESPARTY-28-R'] });
  await expect.poll(() => own('ok')).toMatchObject([{ sid, seq: 1 }]);
  socket.terminate();
});

it('reports changes of fees and of order groups, each in its sequence', async () => {
  const { socket, received, ask } = await listen();
  ask('subscribe', { channels: ['order_group_updates', 'market_lifecycle_v2'] });
  await expect.poll(() => received.filter((one) => one.type === 'subscribed').length).toBe(2);
  const path = '/portfolio/order_groups';
  const { order_group_id: id } = await send('POST', `${path}/create`, { contracts_limit: 7 });
  await send('PUT', `${path}/${String(id)}/trigger`);
  await send('DELETE', `${path}/${String(id)}`);
  const groups = () => received.filter((one) => one.type === 'order_group_updates');
  await expect.poll(() => groups().length).toBe(3);
  expect(groups()).toMatchObject(
    ['created', 'triggered', 'deleted'].map((event_type, index) => ({
      seq: index + 1,
      msg: { event_type, order_group_id: id, contracts_limit_fp: '7.00' },
    })),
  );
  const eventTicker = BUSY_TICKER.split('-').slice(0, 2).join('-');
  await exchange.control('fees', { eventTicker, feeType: 'flat', feeMultiplier: 2 });
  await expect
    .poll(() => received.find((one) => one.type === 'event_fee_update'))
    .toMatchObject({
      seq: expect.any(Number),
      msg: {
        event_ticker: eventTicker,
        fee_type_override: 'flat',
        fee_multiplier_override: 2,
      },
    });
  socket.terminate();
});

it('names the market of a trade as the exchange does', async () => {
  const { socket, received, ask } = await listen();
  ask('subscribe', { channels: ['trade'] });
  await expect
    .poll(() => received.find((one) => one.type === 'trade'))
    .toMatchObject({ msg: { market_ticker: expect.any(String), trade_id: expect.any(String) } });
  expect(received.find((one) => one.type === 'trade')?.msg).not.toHaveProperty('ticker');
  socket.terminate();
});
