import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { Market } from '#lib/api/schemas/market.ts';
import type {
  CalldataResult,
  OrderCreated,
  OrderList,
  OrderRecordWithEvents,
} from '#lib/api/schemas/order.ts';
import type { Portfolio } from '#lib/api/schemas/portfolio.ts';
import { generateApiKey } from '../domain/auth/apiKeys.ts';
import {
  newTrader,
  openMarket,
  openSession,
  orderBody,
  type Session,
  type Trader,
  whenComplete,
} from './testing/apiSession.ts';
import { storeKey } from './testing/storedKey.ts';

let session: Session;
let market: Market;
let trader: Trader;
const otherKey = generateApiKey('test');

beforeAll(async () => {
  session = await openSession();
  market = await openMarket(session);
  trader = await newTrader(session);
  await storeKey({ key: otherKey, name: 'Another caller' });
});

const buyBody = (overrides: { contracts?: string; clientId?: string; atMost?: string } = {}) =>
  orderBody(trader, {
    ticker: market.ticker,
    side: 'yes',
    contracts: overrides.contracts ?? '5',
    buyForAtMost: overrides.atMost ?? '5',
    ...(overrides.clientId === undefined ? {} : { clientId: overrides.clientId }),
  });

const place = (body: unknown, options: { key?: string; token?: string } = {}) =>
  session.send('POST', '/v1/order', { body, token: trader.token, ...options });

describe('POST /v1/order', () => {
  it('200: buys, and record, log and portfolio agree', async () => {
    const clientId = `buy-${crypto.randomUUID()}`;
    const created = await place(buyBody({ clientId }));
    const { success, intent } = created.body as OrderCreated;
    expect(success).toBe(true);
    expect(intent).toMatchObject({
      clientId,
      action: { orderType: 'MarketOrder', chainId: 8453, order: { baseQuantity: '5' } },
    });

    const order = await whenComplete(session, intent.id, trader.token);
    expect(order).toMatchObject({
      status: 'completed',
      terminationReason: null,
      source: 'api',
      filledBaseQuantity: '5',
      accountAddress: trader.account,
    });
    expect(order.transactionHash).toMatch(/^0x[0-9a-f]{64}$/);
    const stamps = [order.createdAt, order.balanceValidatedAt ?? '', order.txnFilledAt ?? ''];
    expect(stamps).toEqual(stamps.toSorted());
    expect(Number(order.quoteAmount) + Number(order.returnedQuoteAmount)).toBeCloseTo(5, 6);
    expect(order.events.at(0)?.type).toBeDefined();

    const byClient = await session.send('GET', `/v1/order/by-client-id/${clientId}`);
    expect((byClient.body as OrderRecordWithEvents).id).toBe(intent.id);

    const held = await session.send('GET', `/v1/tokens/portfolio/${trader.wallet.address}`, {
      key: false,
    });
    const entry = (held.body as Portfolio).find(
      (one) => one.venueMarket.marketId === market.ticker && one.venueMarket.side === 'yes',
    );
    expect(Number(entry?.portfolioItem.amount)).toBeGreaterThanOrEqual(5);
    expect(entry?.portfolioItem.address).toBe(trader.account);
    expect(Number(entry?.portfolioItem.averageFillCost)).toBeGreaterThan(0);
  });

  it('200: ten identical requests at the same instant make one order', async () => {
    const body = buyBody({ clientId: `same-${crypto.randomUUID()}`, contracts: '1', atMost: '1' });
    const responses = await Promise.all(Array.from({ length: 10 }, () => place(body)));
    expect(new Set(responses.map((one) => one.status))).toEqual(new Set([200]));
    const ids = responses.map((one) => (one.body as OrderCreated).intent.id);
    expect(new Set(ids).size).toBe(1);
    await whenComplete(session, ids[0] ?? '', trader.token);
  });

  it('409: another request under the same client id', async () => {
    const clientId = `conflict-${crypto.randomUUID()}`;
    const first = await place(buyBody({ clientId, contracts: '1', atMost: '1' }));
    const refused = await session.refuse('POST', '/v1/order', {
      body: buyBody({ clientId, contracts: '2', atMost: '2' }),
      token: trader.token,
    });
    expect(refused).toMatchObject({ status: 409, code: 'client_id_conflict' });
    await whenComplete(session, (first.body as OrderCreated).intent.id, trader.token);
  });

  it.each([
    ['no body', [], ''],
    ['another order type', { orderType: 'StopOrder' }, '/orderType'],
    ['a quantity as number', { order: { baseQuantity: 5 } }, '/order/baseQuantity'],
    ['a quantity with exponent', { order: { baseQuantity: '1e3' } }, '/order/baseQuantity'],
    ['a negative bound', { order: { maxQuoteQuantityIn: '-1' } }, '/order/maxQuoteQuantityIn'],
    ['no bound', { order: { maxQuoteQuantityIn: undefined } }, '/order/maxQuoteQuantityIn'],
    ['an unknown field', { order: { limitPrice: '1' } }, '/order/limitPrice'],
    ['an address that is none', { userAddress: '0x123' }, '/userAddress'],
    ['a client id with blanks', { clientId: 'a b' }, '/clientId'],
    ['a client id that is too long', { clientId: 'x'.repeat(129) }, '/clientId'],
    ['a chain id as text', { chainId: '8453' }, '/chainId'],
  ])('400: %s', async (_, change: object, pointer) => {
    const good = buyBody();
    const order = { ...good.order, ...('order' in change ? (change.order as object) : {}) };
    const body = Array.isArray(change) ? change : { ...good, ...change, order };
    const refused = await session.refuse('POST', '/v1/order', { body, token: trader.token });
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(refused.errors.map((one) => one.pointer)).toContain(pointer);
  });

  it('401: without a token, also with a key', async () => {
    const refused = await session.refuse('POST', '/v1/order', { body: buyBody() });
    expect(refused).toMatchObject({ status: 401, code: 'token_missing' });
  });

  it('403: for the account of another wallet', async () => {
    const stranger = await newTrader(session);
    const refused = await session.refuse('POST', '/v1/order', {
      body: buyBody(),
      token: stranger.token,
    });
    expect(refused).toMatchObject({ status: 403, code: 'wrong_owner' });
  });

  it('404, 422: for what is not traded here', async () => {
    const good = buyBody();
    const cases = [
      [{ ...good, chainId: 1 }, 'unsupported_chain'],
      [{ ...good, order: { ...good.order, baseQuantity: '0.001' } }, 'quantity_not_allowed'],
      [{ ...good, order: { ...good.order, baseQuantity: '0' } }, 'quantity_not_allowed'],
      [
        {
          ...good,
          order: {
            ...good.order,
            baseToken: { type: 'venue', data: { marketId: 'NOPE', side: 'yes' } },
          },
        },
        'market_not_found',
      ],
    ] as const;
    for (const [body, code] of cases) {
      const refused = await session.refuse('POST', '/v1/order', { body, token: trader.token });
      expect(refused.code).toBe(code);
    }
  });
});

describe('who sees an order', () => {
  it('404: another key, unless the owner is signed in', async () => {
    const created = await place(buyBody({ contracts: '1', atMost: '1' }));
    const { intent } = created.body as OrderCreated;
    const path = `/v1/order/${intent.id}`;
    expect(await session.refuse('GET', path, { key: otherKey })).toMatchObject({
      status: 404,
      code: 'order_not_found',
    });
    const stranger = await newTrader(session);
    const foreign = { key: otherKey, token: stranger.token };
    expect((await session.refuse('GET', path, foreign)).status).toBe(404);
    expect((await session.refuse('POST', `${path}/cancel`, foreign)).status).toBe(404);
    const byClient = `/v1/order/by-client-id/${intent.clientId}`;
    expect((await session.refuse('GET', byClient, foreign)).status).toBe(404);
    const list = await session.send('GET', '/v1/order', foreign);
    expect((list.body as OrderList).orders).toEqual([]);
    const owner = await session.send('GET', path, { key: otherKey, token: trader.token });
    expect(owner.status).toBe(200);
    await whenComplete(session, intent.id, trader.token);
  });

  it('404: ids that exist nowhere', async () => {
    for (const id of [crypto.randomUUID(), 'abc', '..%2f..']) {
      expect((await session.refuse('GET', `/v1/order/${id}`)).code).toBe('order_not_found');
    }
    expect((await session.refuse('GET', '/v1/order/%00')).code).toBe('not_found');
  });
});

it('GET /v1/order 200 pages newest first and filters by wallet', async () => {
  const pages: string[] = [];
  let cursor = '';
  do {
    const { body } = await session.send(
      'GET',
      `/v1/order?userAddress=${trader.wallet.address}&limit=1&cursor=${cursor}`,
    );
    const list = body as OrderList;
    pages.push(...list.orders.map((one) => one.createdAt));
    cursor = list.cursor;
  } while (cursor !== '');
  expect(pages.length).toBeGreaterThan(1);
  expect(pages).toEqual(pages.toSorted().reverse());
});

it('POST /v1/order/calldata 200 is followed by its client id from the start', async () => {
  const clientId = `calldata-${crypto.randomUUID()}`;
  const { body } = await session.send('POST', '/v1/order/calldata', {
    body: buyBody({ clientId, contracts: '2', atMost: '2' }),
  });
  const result = body as CalldataResult;
  expect(result.success).toBe(true);
  expect(result.transactions.length).toBeGreaterThan(0);
  const { body: record } = await session.send('GET', `/v1/order/by-client-id/${clientId}`);
  expect(record).toMatchObject({ status: 'pending', source: 'calldata', isComplete: false });
});

describe('POST /v1/order/withdraw', () => {
  const withdrawal = (change: object = {}) => ({
    intentType: 'Withdraw',
    destinationAddress: trader.wallet.address,
    amount: '12.5',
    tokenType: 'erc20',
    tokenAddress: inject('sandbox').contracts.usdc,
    ...change,
  });

  it('200: sends USDC to the destination', async () => {
    const created = await session.send('POST', '/v1/order/withdraw', {
      body: withdrawal(),
      token: trader.token,
    });
    const { intent } = created.body as OrderCreated;
    expect(await whenComplete(session, intent.id, trader.token)).toMatchObject({
      status: 'completed',
      action: { orderType: 'Withdraw', withdrawal: { amount: '12.5' } },
    });
    const account = await session.client.getAccount(trader.wallet.address);
    expect(account.balances.ownerUsdc).toBe('12.5');
  });

  it.each([
    [{ tokenType: 'erc1155' }, '/tokenId'],
    [{ amount: '1,5' }, '/amount'],
    [{ destinationAddress: '0x0' }, '/destinationAddress'],
    [{ intentType: 'withdraw' }, '/intentType'],
  ])('400: %j', async (change, pointer) => {
    const body = withdrawal(change);
    const refused = await session.refuse('POST', '/v1/order/withdraw', {
      body,
      token: trader.token,
    });
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(refused.errors.map((one) => one.pointer)).toContain(pointer);
  });

  it('401: without a token', async () => {
    const refused = await session.refuse('POST', '/v1/order/withdraw', { body: withdrawal() });
    expect(refused).toMatchObject({ status: 401, code: 'token_missing' });
  });
});

describe('tokens', () => {
  it('200: the same token by market and by every form of its id, with a picture', async () => {
    const byMarket = await session.send('GET', `/v1/tokens/market/${market.ticker}/no`, {
      key: false,
    });
    const token = byMarket.body as { image: string; properties: { tokenId: string } };
    const hex = token.properties.tokenId;
    for (const id of [hex, hex.slice(2), BigInt(hex).toString()]) {
      const { body } = await session.send('GET', `/v1/tokens/${id}`, { key: false });
      expect(body).toEqual(token);
    }
    const picture = await fetch(token.image);
    expect(picture.headers.get('content-type')).toContain('image/svg+xml');
    expect(await picture.text()).toContain(market.ticker);
  });

  it('400, 404: what is no token', async () => {
    const cases = [
      ['/v1/tokens/market/NOPE/yes', 404],
      [`/v1/tokens/market/${market.ticker}/maybe`, 400],
      [`/v1/tokens/market/${market.ticker}/yes?exchange=other`, 404],
      ['/v1/tokens/12345', 404],
      ['/v1/tokens/zz', 400],
      [`/v1/tokens/${'9'.repeat(78)}`, 404],
      ['/v1/tokens/portfolio/0x1', 400],
      [`/v1/tokens/portfolio/${trader.account}?chainId=1`, 422],
    ] as const;
    for (const [path, status] of cases) {
      expect((await session.refuse('GET', path, { key: false })).status, path).toBe(status);
    }
  });
});
