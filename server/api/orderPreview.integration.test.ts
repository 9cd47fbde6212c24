import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LimitOrderRequestInput } from '#lib/api/schemas/limitOrder.ts';
import type { Market } from '#lib/api/schemas/market.ts';
import type {
  AnyOrderRequestInput,
  OrderCreated,
  OrderList,
  OrderRecordWithEvents,
  OrderRequestInput,
} from '#lib/api/schemas/order.ts';
import type { OrderPreview, OrderPreviews } from '#lib/api/schemas/orderPreview.ts';
import { formatMicros, parseMicros } from '#lib/money.ts';
import { removeLimit, setLimit } from '../domain/limits/limits.ts';
import { closeDatabase, type Database } from '../platform/database/client.ts';
import {
  newTrader,
  newWallet,
  openMarket,
  openSandboxDatabase,
  openSession,
  orderBody,
  type Session,
  signIn,
  type Trader,
  whenComplete,
} from './testing/apiSession.ts';

let session: Session;
let market: Market;
let trader: Trader;
let database: Database;

beforeAll(async () => {
  session = await openSession();
  market = await openMarket(session);
  trader = await newTrader(session);
  database = openSandboxDatabase();
});
afterAll(() => closeDatabase(database));

const PATH = '/v1/order/preview';
type Sent = { token?: string; source?: 'api' | 'calldata' };

async function previewAll(body: unknown, { source, ...sent }: Sent = {}): Promise<OrderPreview[]> {
  const target = source ? `${PATH}?source=${source}` : PATH;
  const response = await session.send('POST', target, { body, ...sent });
  expect(response.status, response.text).toBe(200);
  return (response.body as OrderPreviews).previews;
}

async function preview(body: unknown, sent?: Sent): Promise<OrderPreview> {
  const [first] = await previewAll(body, sent);
  if (!first) throw new Error('an order has a preview');
  return first;
}

const buyOf = (contracts: string, buyForAtMost: string, by = trader): OrderRequestInput =>
  orderBody(by, { ticker: market.ticker, side: 'yes', contracts, buyForAtMost });
const saleOf = (contracts: string, sellForAtLeast: string, by = trader): OrderRequestInput =>
  orderBody(by, { ticker: market.ticker, side: 'yes', contracts, sellForAtLeast });
function limitOf(
  direction: 'BUY' | 'SELL',
  limitPrice: string,
  terms: Partial<LimitOrderRequestInput['order']> = {},
): LimitOrderRequestInput {
  const { order, ...rest } = buyOf('2', '2');
  const { quoteToken, baseToken, baseQuantity } = order;
  return {
    ...rest,
    orderType: 'LimitOrder',
    order: { quoteToken, baseToken, baseQuantity, orderType: direction, limitPrice, ...terms },
  };
}
const codesOf = ({ blockers }: OrderPreview) => blockers.map(({ code }) => code);

/** Places an order that was previewed, and compares what happens with what was said. */
async function placeAsPreviewed(body: AnyOrderRequestInput, by: Trader): Promise<OrderPreview> {
  const said = await preview(body, { token: by.token });
  const [first] = said.blockers;
  const response = await session.send('POST', '/v1/order', { body, token: by.token });
  if (first?.outcome === 'refused') {
    expect(response.body).toMatchObject({
      code: first.code,
      detail: first.detail,
      errors: first.errors,
    });
    return said;
  }
  expect(response.status, response.text).toBe(200);
  const { intent } = response.body as OrderCreated;
  const order = await whenComplete(session, intent.id, by.token);
  expect(order.terminationReason).toBe(first?.code ?? null);
  const { lockedQuoteAmount, leastQuoteAmount } = said.funding ?? {};
  const { quoteAmount } = order;
  if (quoteAmount && lockedQuoteAmount) {
    expect(parseMicros(quoteAmount)).toBeLessThanOrEqual(parseMicros(lockedQuoteAmount));
  }
  if (quoteAmount && leastQuoteAmount && said.estimate?.fillable) {
    expect(parseMicros(quoteAmount)).toBeGreaterThanOrEqual(parseMicros(leastQuoteAmount));
  }
  if (quoteAmount && !said.blockers.length) {
    const { quoteAmount: estimated = '0', filledBaseQuantity = '0' } = said.estimate ?? {};
    // The makers may have moved the book meanwhile, by some cents a contract.
    const off = parseMicros(quoteAmount) - parseMicros(estimated);
    const most = parseMicros(filledBaseQuantity) / 10n + 10_000n;
    expect(off < 0n ? -off : off).toBeLessThanOrEqual(most);
  }
  return said;
}

describe('POST /v1/order/preview', () => {
  it('200: says what a purchase costs and returns, and stores nothing', async () => {
    // Other tests place orders with this API key meanwhile.
    const target = `/v1/order?userAddress=${trader.wallet.address}`;
    const orders = async () => {
      const { body } = await session.send('GET', target, { token: trader.token });
      return (body as OrderList).orders.length;
    };
    const before = await orders();
    const said = await preview(buyOf('5', '5'), { token: trader.token });
    expect(said).toMatchObject({
      source: 'api',
      placeable: true,
      blockers: [],
      estimate: { fillable: true, filledBaseQuantity: '5', returnedBaseQuantity: '0' },
      funding: {
        accountAddress: trader.account,
        receiverAddress: trader.account,
        lockedQuoteAmount: '5',
        lockedBaseQuantity: null,
      },
      signing: { grant: 'in_force', leastMaxPerOrder: '5', transactions: 0 },
    });
    const { quoteAmount = '', returnedQuoteAmount = '' } = said.estimate ?? {};
    expect(parseMicros(quoteAmount) + parseMicros(returnedQuoteAmount)).toBe(5_000_000n);
    expect(await orders()).toBe(before);
  });

  it('200: names every blocker of one order at once, each as the order would be refused', async () => {
    const stranger = newWallet();
    const token = await signIn(session, stranger);
    const order = buyOf('0.005', '0.000001', { ...trader, wallet: stranger });
    const body = {
      ...order,
      chainId: 1,
      receiverAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    };
    const said = await preview(body, { token });
    expect(said.blockers.map(({ code, outcome }) => `${code} ${outcome}`)).toEqual([
      'unsupported_chain refused',
      'quantity_not_allowed refused',
      'limit_not_allowed refused',
      'receiver_not_allowed refused',
      'insufficient_funds ends',
      'grant_required ends',
    ]);
    const refused = await session.refuse('POST', '/v1/order', { body, token });
    expect(said.blockers[0]).toMatchObject({
      code: refused.code,
      detail: refused.detail,
      errors: refused.errors,
    });
    expect(said.signing).toMatchObject({ grant: 'to_sign', leastMaxPerOrder: '0.000001' });
  });

  it('200: takes up to twenty orders, and says of each what is wrong with it', async () => {
    const missing = orderBody(trader, {
      ticker: 'NO-SUCH-MARKET',
      side: 'no',
      contracts: '1',
      buyForAtMost: '1',
    });
    const bodies = [buyOf('1', '1'), missing, saleOf('1', '0.01'), buyOf('1', '5000')];
    const said = await previewAll(bodies, { token: trader.token });
    expect(said.map(codesOf)).toEqual([
      [],
      ['market_not_found'],
      ['insufficient_funds'],
      expect.arrayContaining(['grant_exceeded']),
    ]);
    const many = Array.from({ length: 21 }, () => buyOf('1', '1'));
    expect(await session.refuse('POST', PATH, { body: many })).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
  });

  it('400: points at the field of the order that is malformed', async () => {
    const { order, ...rest } = buyOf('1', '1');
    const malformed = { ...rest, order: { ...order, baseQuantity: 'many' } };
    const single = await session.refuse('POST', PATH, { body: malformed });
    expect(single.errors.map(({ pointer }) => pointer)).toEqual(['/order/baseQuantity']);
    const listed = await session.refuse('POST', PATH, { body: [buyOf('1', '1'), malformed] });
    expect(listed.errors.map(({ pointer }) => pointer)).toEqual(['/1/order/baseQuantity']);
  });

  it('200: without a token it is about the user’s own wallet, unless the caller says otherwise', async () => {
    const own = await preview(buyOf('1', '1'));
    const { body } = await session.send('POST', '/v1/order/calldata', { body: buyOf('1', '1') });
    const { transactions } = body as { transactions: unknown[] };
    expect(own).toMatchObject({
      source: 'calldata',
      blockers: [],
      signing: {
        grant: 'not_needed',
        transactions: transactions.length,
        approvedQuoteAmount: '1',
      },
    });
    expect(codesOf(await preview(buyOf('1', '1'), { source: 'api' }))).toEqual(['token_missing']);
    const withoutApproval = { ...buyOf('1', '1'), includeTokenTransfer: false };
    expect(await preview(withoutApproval)).toMatchObject({
      blockers: [{ code: 'insufficient_allowance', outcome: 'reverts' }],
    });
    const poor = buyOf('1', '1', { ...trader, wallet: newWallet() });
    expect(await preview(poor)).toMatchObject({
      blockers: [{ code: 'insufficient_funds', outcome: 'reverts' }],
    });
  });

  it('200: shows the account’s trading limits to its owner only', async () => {
    const limit = { scope: 'account', subject: trader.account, by: 'test' } as const;
    const values = {
      maxOrderUsdcMicros: 900_000n,
      maxDayUsdcMicros: null,
      maxExposureUsdcMicros: null,
      maxOpenOrders: 0,
    };
    await setLimit({ database }, { ...limit, values, reason: 'a preview' });
    try {
      const refused = ['trading_limit_reached', 'trading_limit_reached'];
      expect(codesOf(await preview(buyOf('1', '1'), { token: trader.token }))).toEqual(refused);
      expect(codesOf(await preview(buyOf('1', '1')))).toEqual([]);
    } finally {
      await removeLimit({ database }, { ...limit, reason: 'it is over' });
    }
  });

  it('200: a client id of another order blocks it', async () => {
    const clientId = `preview-${crypto.randomUUID()}`;
    await placeAsPreviewed({ ...buyOf('1', '0.03'), clientId }, trader);
    const other = { ...buyOf('2', '0.06'), clientId };
    const said = await preview(other, { token: trader.token });
    expect(codesOf(said)).toEqual(['client_id_conflict', 'price_moved']);
    expect(codesOf(await placeAsPreviewed(other, trader))).toEqual(codesOf(said));
  });
});

describe('a preview of a limit order', () => {
  it('200: names every blocker at once', async () => {
    const body = limitOf('BUY', '0.5555', {
      baseQuantity: '0.005',
      timeInForce: 'GTD',
      expiresAt: new Date().toISOString(),
    });
    const said = await preview({ ...body, chainId: 1 }, { token: trader.token });
    expect(codesOf(said)).toEqual([
      'unsupported_chain',
      'price_not_allowed',
      'quantity_not_allowed',
      'deadline_not_allowed',
    ]);
    const { errors } = await session.refuse('POST', PATH, {
      body: { ...body, order: { ...body.order, timeInForce: 'IOC' } },
    });
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/order/expiresAt']);
  });

  it('200: says what would be locked and rest; the order then does that', async () => {
    const price = `0.${`${Math.floor(market.yesBid) - 6}`.padStart(2, '0')}`;
    const bid = limitOf('BUY', price);
    const said = await preview(bid, { token: trader.token });
    expect(said).toMatchObject({
      placeable: true,
      estimate: { fillable: false, filledBaseQuantity: '0', remainingBaseQuantity: '2' },
    });
    expect(Number(said.estimate?.queueAhead)).toBeGreaterThan(0);
    const created = await session.send('POST', '/v1/order', { body: bid, token: trader.token });
    const { intent } = created.body as OrderCreated;
    const path = `/v1/order/${intent.id}`;
    const resting = await vi.waitUntil(
      async () => {
        const { body } = await session.send('GET', path, { token: trader.token });
        const order = body as OrderRecordWithEvents;
        return order.restingSince === null ? undefined : order;
      },
      { timeout: 120_000, interval: 200 },
    );
    expect(resting.remainingBaseQuantity).toBe(said.estimate?.remainingBaseQuantity);
    expect(intent.action.order.maxQuoteQuantityIn).toBe(said.funding?.lockedQuoteAmount);
    // Orders of ours do not meet at the exchange.
    const meeting = await placeAsPreviewed(limitOf('SELL', price), trader);
    expect(codesOf(meeting)[0]).toBe('crosses_open_order');
    await session.send('DELETE', path, { token: trader.token });
    expect((await whenComplete(session, intent.id, trader.token)).terminationReason).toBe(
      'cancelled',
    );
  });

  it('200: foresees how orders that do not rest end', async () => {
    const said = await Promise.all([
      placeAsPreviewed(limitOf('BUY', '0.99', { timeInForce: 'FOK' }), trader),
      placeAsPreviewed(limitOf('BUY', '0.99', { postOnly: true }), trader),
      placeAsPreviewed(limitOf('BUY', '0.01', { timeInForce: 'IOC' }), trader),
      placeAsPreviewed(limitOf('BUY', '0.01', { timeInForce: 'FOK' }), trader),
      placeAsPreviewed(limitOf('BUY', '0.5', { reduceOnly: true }), trader),
    ]);
    expect(said.map(codesOf)).toEqual([
      [],
      ['post_only_would_cross'],
      ['price_moved'],
      ['not_filled_whole'],
      ['reduce_only_not_held'],
    ]);
  });
});

describe('real orders', () => {
  it('do what their preview said', async () => {
    const fresh = newWallet();
    const unready = { ...trader, wallet: fresh, token: await signIn(session, fresh) };
    const byAmount = buyOf('2', '3');
    const bought = await placeAsPreviewed(buyOf('5', '4.95'), trader);
    expect(bought.placeable).toBe(true);
    const others = await Promise.all([
      placeAsPreviewed(buyOf('1', '1', unready), unready),
      placeAsPreviewed(buyOf('5000', '4000'), trader),
      placeAsPreviewed(buyOf('3', '0.09'), trader),
      placeAsPreviewed(saleOf('500', '5'), trader),
    ]);
    expect(others.map((said) => codesOf(said)[0])).toEqual([
      'insufficient_funds',
      'grant_exceeded',
      'price_moved',
      'insufficient_funds',
    ]);
    const order = { ...byAmount.order, sizedBy: 'maxQuoteQuantityIn' as const };
    expect((await placeAsPreviewed({ ...byAmount, order }, trader)).placeable).toBe(true);
    expect((await placeAsPreviewed(saleOf('2.5', '0.02'), trader)).placeable).toBe(true);
  });

  it('in any amounts and limits do what their preview said', {
    tags: ['long'],
    timeout: 600_000,
  }, async () => {
    const ways = fc.record({
      action: fc.constantFrom('buy', 'sell', 'amount'),
      hundredths: fc.integer({ min: 1, max: 3_000 }),
      thousandths: fc.integer({ min: 1, max: 999 }),
    });
    for (const { action, hundredths, thousandths } of fc.sample(ways, 60)) {
      const contractMicros = BigInt(hundredths) * 10_000n;
      const limit = formatMicros((contractMicros * BigInt(thousandths)) / 1_000n);
      const contracts = formatMicros(contractMicros);
      const body = action === 'sell' ? saleOf(contracts, limit) : buyOf(contracts, limit);
      const order = { ...body.order, sizedBy: 'maxQuoteQuantityIn' as const };
      await placeAsPreviewed(action === 'amount' ? { ...body, order } : body, trader);
    }
  });
});
