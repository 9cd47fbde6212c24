import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import type { ActivityList } from '#lib/api/schemas/activity.ts';
import type {
  CalldataResult,
  OrderCreated,
  OrderList,
  OrderRecordWithEvents,
} from '#lib/api/schemas/order.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import {
  chainReader,
  createDeployedTrader,
  sendTransactions,
} from '#sandbox/testing/chainTrader.ts';
import { fetchToken, findLiquidMarket, signIn as signInTrader } from '#sandbox/testing/trader.ts';
import { generateApiKey } from '../domain/auth/apiKeys.ts';
import { removeLimit, setLimit } from '../domain/limits/limits.ts';
import { closeDatabase, type Database } from '../platform/database/client.ts';
import {
  newTrader,
  newWallet,
  openSession,
  orderBody,
  type Session,
  type Trader,
  whenComplete,
} from './testing/apiSession.ts';
import { openSandboxDatabase, storeKey } from './testing/storedKey.ts';

/** What a stranger who knows an address can do with `POST /v1/order/calldata`: nothing to it. */

let session: Session;
let database: Database;
let ticker = '';
let victim: Trader;
const foreignKey = generateApiKey('test');
const STRANGER = '0x00000000000000000000000000000000000057a5';

beforeAll(async () => {
  session = await openSession();
  database = openSandboxDatabase();
  await storeKey({ key: foreignKey, name: 'A stranger' });
  ticker = await findLiquidMarket(await signInTrader(inject('sandbox')));
  victim = await newTrader(session);
});

afterAll(async () => {
  await closeDatabase(database);
});

const buyFor = (address: string, change: object = {}) => ({
  ...orderBody(
    { wallet: { address } },
    { ticker, side: 'yes', contracts: '2', buyForAtMost: '1.9' },
  ),
  ...change,
});

type Sent = { key?: string; token?: string };

async function issueOrder(address: string, change: object = {}, sent: Sent = { key: foreignKey }) {
  const clientId = `planted-${crypto.randomUUID()}`;
  const body = { ...buyFor(address, { clientId }), ...change };
  const response = await session.send('POST', '/v1/order/calldata', { body, ...sent });
  expect(response.status, response.text).toBe(200);
  const { intent } = response.body as CalldataResult;
  return { id: intent.id, clientId: intent.clientId };
}

const listed = async (query: string, sent: Sent) => {
  const { body } = await session.send('GET', `/v1/order?limit=100${query}`, sent);
  return (body as OrderList).orders.map((order) => order.id);
};

const activityOf = async (address: string, sent: Sent) => {
  const { body } = await session.send('GET', `/v1/activity?address=${address}`, sent);
  return (body as ActivityList).items.map((item) => item.orderId);
};

async function count(table: string, column: string, value: string): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `select count(*)::int as n from ${table} where ${column} = $1`,
    [value],
  );
  return rows[0]?.n ?? -1;
}

describe('an order asked for without a token of its owner', () => {
  it('belongs to the key and the client id, and is in no list of the account', async () => {
    const { id, clientId } = await issueOrder(victim.wallet.address, { receiverAddress: STRANGER });
    const mine = { key: foreignKey };
    const byId = await session.send('GET', `/v1/order/${id}`, mine);
    expect(byId.body).toMatchObject({ id, status: 'pending', source: 'calldata' });
    const byClientId = await session.send('GET', `/v1/order/by-client-id/${clientId}`, mine);
    expect((byClientId.body as OrderRecordWithEvents).id).toBe(id);
    expect(await listed('', mine)).toContain(id);
    for (const address of [victim.wallet.address, victim.account]) {
      expect(await listed(`&userAddress=${address}`, mine)).not.toContain(id);
      expect(await activityOf(address, mine)).not.toContain(id);
      expect(await activityOf(address, { token: victim.token })).not.toContain(id);
    }
    expect(await listed('', { token: victim.token })).not.toContain(id);
    const own = { token: victim.token, status: 404, code: 'order_not_found' };
    const refused = await session.refuse('GET', `/v1/order/${id}`, { token: own.token });
    expect(refused).toMatchObject({ status: own.status, code: own.code });
    const table = await session.send('GET', '/v1/exports/orders.csv', { token: victim.token });
    expect(table.text).not.toContain(id);
  });

  it('reaches no webhook of the account', async () => {
    const { body } = await session.send('POST', '/v1/webhooks', {
      body: { url: 'http://127.0.0.1:9/planted' },
      token: victim.token,
    });
    const { webhook } = body as { webhook: { id: string } };
    const planted = await issueOrder(victim.wallet.address);
    const created = await session.send('POST', '/v1/order', {
      body: buyFor(victim.wallet.address),
      token: victim.token,
    });
    const own = (created.body as OrderCreated).intent.id;
    const received = async () => {
      const { rows } = await database.pool.query<{ id: string }>(
        `select m.payload::json->'data'->'order'->>'id' as id from notification_messages m
         join notification_deliveries d on d.message_id = m.id where d.target_id = $1`,
        [webhook.id],
      );
      return rows.map((row) => row.id);
    };
    const isOwnReceived = async () => ((await received()).includes(own) ? true : undefined);
    expect(await pollUntil(isOwnReceived, { everyMs: 100 })).toBe(true);
    expect(await received()).not.toContain(planted.id);
    await whenComplete(session, own, victim.token);
    await session.send('DELETE', `/v1/webhooks/${webhook.id}`, { token: victim.token });
  });

  it('counts against no limit of the account', async () => {
    const person = await newTrader(session);
    const limit = { scope: 'account', subject: person.account, by: 'test' } as const;
    for (let n = 0; n < 3; n += 1) await issueOrder(person.wallet.address);
    await setLimit(
      { database },
      {
        ...limit,
        values: {
          maxOrderUsdcMicros: null,
          maxDayUsdcMicros: 1_900_000n,
          maxExposureUsdcMicros: 1_900_000n,
          maxOpenOrders: 1,
        },
        reason: 'planted orders',
      },
    );
    try {
      const response = await session.send('POST', '/v1/order', {
        body: buyFor(person.wallet.address),
        token: person.token,
      });
      expect(response.status, response.text).toBe(200);
      const { intent } = response.body as OrderCreated;
      expect((await whenComplete(session, intent.id, person.token)).status).toBe('completed');
    } finally {
      await removeLimit({ database }, { ...limit, reason: 'over' });
    }
  });

  it('is not followed: neither its address nor its account is stored', async () => {
    const { address } = newWallet();
    const { id } = await issueOrder(address);
    const { body } = await session.send('GET', `/v1/order/${id}`, { key: foreignKey });
    const { accountAddress } = body as OrderRecordWithEvents;
    // Another account that became known later is followed by now.
    const later = await newTrader(session);
    const isFollowed = async () =>
      (await count('usdc_accounts', 'address', later.account)) === 1 || undefined;
    expect(await pollUntil(isFollowed, { everyMs: 100 })).toBe(true);
    for (const one of [address, accountAddress]) {
      expect(await count('usdc_accounts', 'address', one)).toBe(0);
      expect(await count('accounts', 'id', one)).toBe(0);
      expect(await count('accounts', 'owner_address', one)).toBe(0);
    }
  });

  it('is an order of the account as soon as the vault has logged its request', async () => {
    const trader = await createDeployedTrader(inject('sandbox'));
    const token = await fetchToken(session.client, trader.wallet);
    const response = await session.send('POST', '/v1/order/calldata', {
      body: buyFor(trader.wallet.address),
      key: foreignKey,
    });
    const { intent, transactions } = response.body as CalldataResult;
    expect(await listed('', { token })).not.toContain(intent.id);
    await sendTransactions(inject('sandbox'), trader, transactions);
    const order = await pollUntil(
      async () => {
        const own = await session.send('GET', `/v1/order/${intent.id}`, { token });
        const record = own.body as OrderRecordWithEvents;
        return own.status === 200 && record.isComplete ? record : undefined;
      },
      { everyMs: 100 },
    );
    expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '2' });
    expect(await listed(`&userAddress=${trader.account}`, { token })).toContain(intent.id);
    expect(await activityOf(trader.account, { token })).toContain(intent.id);
    const isFollowed = async () =>
      (await count('usdc_accounts', 'address', trader.account)) === 1 || undefined;
    expect(await pollUntil(isFollowed, { everyMs: 100 })).toBe(true);
  });

  it('is shown at once when the owner asks, also for what was asked for without a token', async () => {
    // Lists what the wallet did, not what the page itself caused.
    const mine = { key: foreignKey, token: victim.token };
    const owned = await issueOrder(victim.wallet.address, {}, { token: victim.token });
    expect(await listed('', mine)).toContain(owned.id);
    const clientId = `later-${crypto.randomUUID()}`;
    const anonymous = await issueOrder(victim.wallet.address, { clientId }, {});
    expect(await listed('', mine)).not.toContain(anonymous.id);
    const again = await issueOrder(victim.wallet.address, { clientId }, { token: victim.token });
    expect(again.id).toBe(anonymous.id);
    expect(await listed('', mine)).toContain(anonymous.id);
    for (const { id } of [owned, anonymous]) {
      await session.send('POST', `/v1/order/${id}/cancel`, { token: victim.token });
      await whenComplete(session, id, victim.token);
    }
  });

  it('with a token of another wallet it is still a stranger’s', async () => {
    const other = await newTrader(session);
    const { id } = await issueOrder(victim.wallet.address, {}, { token: other.token });
    for (const { token } of [victim, other]) {
      expect(await listed('', { key: foreignKey, token })).not.toContain(id);
    }
  });
});

describe('422: addresses of the service itself', () => {
  const { contracts } = inject('sandbox');
  const OURS = Object.entries(contracts);

  async function moreOfOurs(): Promise<string[]> {
    const { rows } = await database.pool.query<{ address: string }>(
      'select address from chain_signers',
    );
    const chain = chainReader(inject('sandbox'));
    const treasury = await chain.readContract({
      address: contracts.swapVault,
      abi: swapVaultAbi,
      functionName: 'treasury',
    });
    const implementation = await chain.readContract({
      address: contracts.accountFactory,
      abi: tradingAccountFactoryAbi,
      functionName: 'implementation',
    });
    return [...rows.map((row) => row.address), treasury, implementation];
  }

  it.each(OURS)('%s neither orders, receives nor is given anything', async (_, address) => {
    const asUser = await session.refuse('POST', '/v1/order/calldata', { body: buyFor(address) });
    expect(asUser).toMatchObject({ status: 422, code: 'address_not_allowed' });
    expect(asUser.errors.map((one) => one.pointer)).toEqual(['/userAddress']);
    const asReceiver = await session.refuse('POST', '/v1/order/calldata', {
      body: buyFor(victim.wallet.address, { receiverAddress: address }),
    });
    expect(asReceiver).toMatchObject({ status: 422, code: 'receiver_not_allowed' });
    const gift = await session.refuse('POST', '/v1/sandbox/faucet', { body: { address } });
    expect(gift).toMatchObject({ status: 422, code: 'address_not_allowed' });
  });

  it('keys that sign for the service, the treasury and the account’s code likewise', async () => {
    const ours = await moreOfOurs();
    expect(ours.length).toBeGreaterThan(2);
    for (const address of ours) {
      const refused = await session.refuse('POST', '/v1/order/calldata', { body: buyFor(address) });
      expect(refused, address).toMatchObject({ status: 422, code: 'address_not_allowed' });
      const withdrawal = await session.refuse('POST', '/v1/order/withdraw', {
        body: {
          intentType: 'Withdraw',
          destinationAddress: address,
          amount: '1',
          tokenType: 'erc20',
          tokenAddress: contracts.usdc,
        },
        token: victim.token,
      });
      expect(withdrawal).toMatchObject({ status: 422, code: 'receiver_not_allowed' });
    }
  });
});
