import { beforeAll, describe, expect, it } from 'vitest';
import type { OrderCreated } from '#lib/api/schemas/order.ts';
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
const clientId = '=HYPERLINK("http://evil.example")';
let orderId: string;

beforeAll(async () => {
  session = await openSession();
  trader = await newTrader(session);
  const { ticker } = await openMarket(session);
  const body = orderBody(trader, {
    ticker,
    side: 'yes',
    contracts: '2',
    buyForAtMost: '2',
    clientId: clientId.replace('HYPERLINK', crypto.randomUUID()),
  });
  const created = await session.send('POST', '/v1/order', { body, token: trader.token });
  orderId = (created.body as OrderCreated).intent.id;
  await whenComplete(session, orderId, trader.token);
});

async function table(path: string, options: { key?: false | string; token?: string } = {}) {
  const response = await session.send('GET', path, { token: trader.token, ...options });
  expect(response.status, response.text).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="\w+\.csv"$/);
  const [heading = '', ...rows] = response.text.split('\r\n');
  expect(rows.pop()).toBe('');
  return { columns: heading.split(','), rows };
}

const owner = () => `userAddress=${trader.wallet.address}`;

describe('GET /v1/exports/orders.csv 200', () => {
  it('holds the order, its client id made harmless', async () => {
    const { columns, rows } = await table(`/v1/exports/orders.csv?${owner()}`);
    expect(columns.slice(0, 3)).toEqual(['createdAt', 'id', 'clientId']);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain(orderId);
    expect(rows[0]).toContain(`,"'=`);
    expect(rows[0]).toContain('completed');
  });

  it('exports only the owner’s orders, filtered', async () => {
    const stranger = await newTrader(session);
    const other = await table(`/v1/exports/orders.csv?${owner()}&to=2020-01-01T00:00:00.000Z`);
    expect(other.rows).toEqual([]);
    const withdrawals = await table(`/v1/exports/orders.csv?${owner()}&type=withdrawal`);
    expect(withdrawals.rows).toEqual([]);
    const created = await session.send('POST', '/v1/keys', {
      body: { name: 'a key that made no orders' },
      key: false,
      token: stranger.token,
    });
    const { secret } = created.body as { secret: string };
    const foreign = await table(`/v1/exports/orders.csv?${owner()}`, {
      key: secret,
      token: stranger.token,
    });
    expect(foreign.rows).toEqual([]);
  });
});

it('GET /v1/exports/activity.csv 200: every step, in order', async () => {
  const { columns, rows } = await table(`/v1/exports/activity.csv?${owner()}`);
  const at = columns.indexOf('event');
  const steps = rows.map((row) => row.split(',')[at]);
  expect(steps[0]).toBe('created');
  expect(steps.at(-1)).toBe('completed');
});

it('GET /v1/exports/portfolio.csv 200: what is held now', async () => {
  const { columns, rows } = await table(
    `/v1/exports/portfolio.csv?address=${trader.wallet.address}`,
  );
  expect(columns).toContain('tokenId');
  expect(rows).toHaveLength(1);
});

it('400 and 401 as elsewhere', async () => {
  const refused = await session.refuse('GET', '/v1/exports/orders.csv?from=yesterday');
  expect(refused.errors.map((one) => one.pointer)).toEqual(['/query/from']);
  const keyless = await session.refuse('GET', '/v1/exports/orders.csv', { key: false });
  expect(keyless.code).toBe('api_key_missing');
  const portfolio = await session.refuse('GET', '/v1/exports/portfolio.csv?address=0x1');
  expect(portfolio.status).toBe(400);
});
