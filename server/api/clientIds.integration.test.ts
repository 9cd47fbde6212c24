import { beforeAll, describe, expect, it } from 'vitest';
import type {
  CalldataResult,
  OrderCreated,
  OrderRecordWithEvents,
} from '#lib/api/schemas/order.ts';
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

/** A client id belongs to a key and an owner: owners behind one shared key never meet. */

let session: Session;
let ticker = '';
let anna: Trader;
let ben: Trader;
/** A key that every visitor of some page has, as that of our own pages. */
const pageKey = generateApiKey('pub');
const PAGE = 'https://shared.example';

beforeAll(async () => {
  session = await openSession();
  await storeKey({ key: pageKey, name: 'A page', origins: [PAGE] });
  ticker = (await openMarket(session)).ticker;
  anna = await newTrader(session);
  ben = await newTrader(session);
});

const bodyOf = (trader: Trader, clientId: string, contracts = '1') =>
  orderBody(trader, { ticker, side: 'yes', contracts, buyForAtMost: contracts, clientId });

const inPage = { key: pageKey, headers: { origin: PAGE } };

async function place(trader: Trader, clientId: string, options: object = {}): Promise<string> {
  const body = bodyOf(trader, clientId);
  const response = await session.send('POST', '/v1/order', {
    body,
    token: trader.token,
    ...options,
  });
  expect(response.status, response.text).toBe(200);
  return (response.body as OrderCreated).intent.id;
}

async function issue(trader: Trader, clientId: string, options: object = {}): Promise<string> {
  const body = bodyOf(trader, clientId);
  const response = await session.send('POST', '/v1/order/calldata', { body, ...options });
  expect(response.status, response.text).toBe(200);
  return (response.body as CalldataResult).intent.id;
}

const byClientId = async (clientId: string, options: object, query = '') =>
  await session.send('GET', `/v1/order/by-client-id/${clientId}${query}`, options);

const idOf = (body: unknown) => (body as OrderRecordWithEvents).id;

describe('two owners behind one key', () => {
  it('200: use one client id, and each finds their own order by it', async () => {
    const clientId = `shared-${crypto.randomUUID()}`;
    const [annas, bens] = [await place(anna, clientId), await place(ben, clientId)];
    expect(bens).not.toBe(annas);
    expect(await place(anna, clientId)).toBe(annas);
    expect(await place(ben, clientId)).toBe(bens);
    expect(idOf((await byClientId(clientId, { token: anna.token })).body)).toBe(annas);
    expect(idOf((await byClientId(clientId, { token: ben.token })).body)).toBe(bens);
    // The key made both: the newest, unless it says whose.
    expect(idOf((await byClientId(clientId, {})).body)).toBe(bens);
    const query = `?userAddress=${anna.account}`;
    expect(idOf((await byClientId(clientId, {}, query)).body)).toBe(annas);
    await whenComplete(session, annas, anna.token);
    await whenComplete(session, bens, ben.token);
  });

  it('409: another body of the same owner, with no word about which intent it is', async () => {
    const clientId = `conflict-${crypto.randomUUID()}`;
    const first = await place(anna, clientId);
    const refused = await session.refuse('POST', '/v1/order', {
      body: bodyOf(anna, clientId, '2'),
      token: anna.token,
    });
    expect(refused).toMatchObject({ status: 409, code: 'client_id_conflict' });
    expect(JSON.stringify(refused)).not.toContain(first);
    await whenComplete(session, first, anna.token);
  });

  it('200: ten at the same instant under one client id make one order for each', async () => {
    const clientId = `instant-${crypto.randomUUID()}`;
    const wishes = Array.from({ length: 10 }, (_, n) => place(n % 2 ? anna : ben, clientId));
    const ids = await Promise.all(wishes);
    expect(new Set(ids).size).toBe(2);
    await whenComplete(session, ids[1] ?? '', anna.token);
    await whenComplete(session, ids[0] ?? '', ben.token);
  });

  it('200: without a token, for two addresses', async () => {
    const clientId = `calldata-${crypto.randomUUID()}`;
    const [annas, bens] = [await issue(anna, clientId), await issue(ben, clientId)];
    expect(bens).not.toBe(annas);
    expect(await issue(anna, clientId)).toBe(annas);
  });
});

describe('a key that every visitor has', () => {
  it('a stranger cannot take the client id of an owner', async () => {
    const clientId = `taken-${crypto.randomUUID()}`;
    const planted = await issue(anna, clientId, {
      ...inPage,
      // Another body under the same client id, for the same address.
      token: undefined,
    });
    const own = await place(anna, clientId, inPage);
    expect(own).not.toBe(planted);
    const found = await byClientId(clientId, { ...inPage, token: anna.token });
    expect(idOf(found.body)).toBe(own);
    await whenComplete(session, own, anna.token);
  });

  it('a stranger learns of no order of an owner, neither by conflict nor by asking', async () => {
    const clientId = `hidden-${crypto.randomUUID()}`;
    const own = await issue(anna, clientId, { ...inPage, token: anna.token });
    const stranger = await session.send('POST', '/v1/order/calldata', {
      ...inPage,
      body: bodyOf(anna, clientId, '2'),
    });
    expect(stranger.status, stranger.text).toBe(200);
    expect(stranger.text).not.toContain(own);
    for (const query of ['', `?userAddress=${anna.wallet.address}`]) {
      const refused = await session.refuse(
        'GET',
        `/v1/order/by-client-id/${clientId}${query}`,
        inPage,
      );
      expect(refused).toMatchObject({ status: 404, code: 'order_not_found' });
    }
    const asBen = await byClientId(clientId, { ...inPage, token: ben.token });
    expect(asBen.status).toBe(404);
  });
});
