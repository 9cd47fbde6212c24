import pg from 'pg';
import { encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import { NO_SESSION_KEY } from '#lib/account/sessionKey.ts';
import { parseMicros } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { sendTransactions } from '#sandbox/testing/chainTrader.ts';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import {
  createTrader,
  findLiquidMarket,
  orderBody,
  readHoldings,
  signIn,
  type Trader,
  untilComplete,
} from '#sandbox/testing/trader.ts';
import { FAUCET_USDC_MICROS } from '#server/domain/accounts/faucet.ts';

/** Grants that expire or are used up while orders depend on them. */

const sandbox = sandboxUnderTest();
let database: pg.Client;
let ticker = '';

beforeAll(async () => {
  database = new pg.Client({ connectionString: sandbox.databaseUrl });
  await database.connect();
  ticker = await findLiquidMarket(await signIn(sandbox));
});
afterAll(() => database?.end());

async function placeBuy(trader: Trader, contracts: string, quoteLimit: string): Promise<string> {
  const body = orderBody(sandbox, trader, {
    direction: 'BUY',
    ticker,
    side: 'yes',
    contracts,
    quoteLimit,
  });
  return (await trader.api.createOrder(body)).intent.id;
}

async function revoke(trader: Trader): Promise<void> {
  const data = encodeFunctionData({ abi: tradingAccountAbi, functionName: 'revoke' });
  await sendTransactions(sandbox, trader, [{ to: trader.account, value: '0', data }]);
}

const holdingsOf = (trader: Trader) =>
  readHoldings(sandbox, trader.account, { ticker, side: 'yes' });

async function untilLocked(id: string): Promise<void> {
  const seen = await pollUntil(
    async () => {
      const found = await database.query(
        `select 1 from vault_events e join orders o on o.chain_order_id = e.chain_order_id
         where o.id = $1`,
        [id],
      );
      return found.rowCount === 0 ? undefined : true;
    },
    { everyMs: 10 },
  );
  expect(seen).toBe(true);
}

test('given a grant revoked after the lock, the delivery continues', {
  tags: ['long'],
}, async () => {
  const trader = await createTrader(sandbox);
  const id = await placeBuy(trader, '5', '4.9');
  await untilLocked(id);
  await revoke(trader);
  const order = await untilComplete(trader, id);
  expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '5' });
  expect(await holdingsOf(trader)).toEqual({
    contractMicros: 5_000_000n,
    usdcMicros: FAUCET_USDC_MICROS - parseMicros(order.quoteAmount ?? ''),
  });
  const next = await untilComplete(trader, await placeBuy(trader, '5', '4.9'));
  expect(next).toMatchObject({ status: 'failed', terminationReason: 'grant_required' });
});

/** Signs the default grant with the given limits. */
async function signGrant(trader: Trader, limits: Record<string, string>) {
  const { typedData } = await trader.api.getGrant({ address: trader.wallet.address });
  const { domain, types, primaryType } = typedData;
  const grant = { ...typedData.message, ...limits };
  const signature = await trader.wallet.signTypedData({
    domain: { ...domain, verifyingContract: domain.verifyingContract as Hex },
    types: { Grant: types.Grant },
    primaryType,
    message: grant,
  });
  return { grant, signature };
}

async function createTightTrader(limits: Record<string, string>): Promise<Trader> {
  const trader = await signIn(sandbox);
  await trader.api.recordGrant(await signGrant(trader, limits));
  await trader.api.requestFunds(trader.wallet.address);
  return trader;
}

test('given a used-up daily cap, the next order ends before its funds move', {
  tags: ['long'],
}, async () => {
  const trader = await createTightTrader({ maxPerDay: '6000000' });
  const ids = await Promise.all([placeBuy(trader, '5', '4.9'), placeBuy(trader, '5', '4.8')]);
  const orders = await Promise.all(ids.map((id) => untilComplete(trader, id)));
  const [done, refused] = orders.toSorted((a, b) => (a.status < b.status ? -1 : 1));
  expect(done).toMatchObject({ status: 'completed', filledBaseQuantity: '5' });
  expect(refused).toMatchObject({ status: 'failed', terminationReason: 'grant_exceeded' });
  expect(await holdingsOf(trader)).toEqual({
    contractMicros: 5_000_000n,
    usdcMicros: FAUCET_USDC_MICROS - parseMicros(done?.quoteAmount ?? ''),
  });
  // The cap counts an order's maximum cost, not its actual cost.
  const { grant } = await trader.api.getAccount(trader.wallet.address);
  const left = done?.id === ids[0] ? '1.1' : '1.2';
  expect(grant?.leftToday).toEqual({ order: left, withdraw: '0' });
});

test('given an expired grant, an order ends before funds move', { tags: ['long'] }, async () => {
  const trader = await signIn(sandbox);
  await trader.api.requestFunds(trader.wallet.address);
  const validUntil = Math.floor(Date.now() / 1000) + 3;
  const { grant, signature } = await signGrant(trader, { validUntil: validUntil.toString() });
  const data = encodeFunctionData({
    abi: tradingAccountFactoryAbi,
    functionName: 'createAndGrant',
    args: [
      trader.wallet.address,
      {
        operator: grant.operator as Hex,
        validUntil,
        withdrawAnywhere: grant.withdrawAnywhere,
        maxPerOrder: BigInt(grant.maxPerOrder),
        maxPerDay: BigInt(grant.maxPerDay),
        maxWithdrawPerDay: BigInt(grant.maxWithdrawPerDay),
        nonce: BigInt(grant.nonce),
        ...NO_SESSION_KEY,
      },
      signature,
    ],
  });
  const to = sandbox.contracts.accountFactory;
  await sendTransactions(sandbox, trader, [{ to, value: '0', data }]);
  await pollUntil(() => (Date.now() > validUntil * 1_000 ? true : undefined));
  const order = await untilComplete(trader, await placeBuy(trader, '5', '4.9'));
  expect(order).toMatchObject({
    status: 'failed',
    terminationReason: 'grant_expired',
    transactionHash: null,
  });
  expect(await holdingsOf(trader)).toEqual({
    contractMicros: 0n,
    usdcMicros: FAUCET_USDC_MICROS,
  });
});
