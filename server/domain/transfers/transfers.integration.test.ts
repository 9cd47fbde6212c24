import { type Address, encodeFunctionData, erc20Abi, type Hash } from 'viem';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { addSessionKeyCall } from '#lib/account/sessionKeyCalls.ts';
import type { ActivityItem } from '#lib/api/schemas/activity.ts';
import { parseMicros } from '#lib/money.ts';
import { generateP256, p256Signer } from '#lib/order/p256Signer.ts';
import { placeOrder } from '#lib/order/signOrder.ts';
import { marketKeyOf } from '#lib/outcomeToken.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import {
  chainReader,
  createDeployedTrader,
  deployRefusing,
  sendTransactions,
} from '#sandbox/testing/chainTrader.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { ownFaultyStack } from '#sandbox/testing/faultyStack.ts';
import {
  createTrader,
  findLiquidMarket,
  limitBody,
  orderBody,
  signIn,
  type Trader,
  untilComplete,
  untilLogged,
} from '#sandbox/testing/trader.ts';
import { buyOn, takeMarket, untilRedeemable } from '#sandbox/testing/trades.ts';
import { encodeAccountExecute } from '#server/chain/accountExecute.ts';
import { readSessionKey } from '../accounts/sessionKey.ts';

/** Money that moves without an order; the ledger records it too. */

const STRANGER: Address = '0x00000000000000000000000000000000000057a5';
const stack = ownFaultyStack('transfers');
const { differences, faults, query } = stack;
let ticker = '';

beforeAll(async () => {
  ticker = await findLiquidMarket(await signIn(stack.description()));
});

afterEach(() => faults.clear());

/** The ledger follows an account soon after it is first seen. */
async function expectBooked(account: string, usdcMicros: string): Promise<void> {
  const isBooked = async () => (await booked(account)) === usdcMicros || undefined;
  await pollUntil(isBooked, { everyMs: 250 });
  expect(await booked(account)).toBe(usdcMicros);
}

async function booked(account: string, asset = 'usdc'): Promise<string> {
  const rows = await query<{ sum: string }>(
    `select coalesce(sum(amount_micros), 0)::text as sum from ledger_entries
     where account = $1 and asset = $2`,
    [account, asset],
  );
  return rows[0]?.sum ?? '';
}

async function sendUsdc(trader: Trader, ...amounts: bigint[]): Promise<void> {
  const { usdc } = stack.description().contracts;
  const calls = amounts.map((amount) => {
    const args = [STRANGER, amount] as const;
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
    return { to: usdc, value: 0n, data: transfer };
  });
  const data = encodeAccountExecute(calls);
  await sendTransactions(stack.description(), trader, [{ to: trader.account, value: '0', data }]);
}

test('given a transfer that a fork removes, reverses its postings', async () => {
  const trader = await createDeployedTrader(stack.description());
  expect(await differences()).toEqual([]);
  await expectBooked(`user:${trader.account}`, '10000000000');
  await sendUsdc(trader, 4_000_000n);
  expect(await differences()).toEqual([]);
  await expectBooked(`user:${trader.account}`, '9996000000');
  expect(await faults.reorganise(1, { drop: [trader.wallet.address] })).toMatchObject({
    dropped: 1,
  });
  expect(await differences()).toEqual([]);
  await expectBooked(`user:${trader.account}`, '10000000000');
  await sendUsdc(trader, 1n);
  expect(await differences()).toEqual([]);
  await expectBooked(`user:${trader.account}`, '9999999999');
});

test('given an added session key that a fork removes, its log goes with it', {
  tags: ['long'],
}, async () => {
  const own = await p256Signer(await generateP256());
  const other = readSessionKey((await p256Signer(await generateP256())).sessionKey);
  const { sessionKey } = own;
  const trader = await createTrader(stack.description(), { sessionKey });
  const body = orderBody(stack.description(), trader, {
    direction: 'BUY',
    ticker,
    side: 'yes',
    contracts: '1',
    quoteLimit: '0.98',
  });
  await untilComplete(trader, (await placeOrder(trader.api, own, body)).intent.id);
  const logged = async (count: number) => {
    const rows = () => query('select kind from session_key_events where key = $1', [other.key]);
    const areThere = async () => (await rows()).length === count || undefined;
    await pollUntil(areThere, { everyMs: 250 });
    expect(await rows()).toHaveLength(count);
  };
  const { to, data } = addSessionKeyCall(trader.account, 0n, other);
  await sendTransactions(stack.description(), trader, [{ to, value: '0', data }]);
  await logged(1);
  expect((await trader.api.listSessionKeys()).keys).toHaveLength(2);
  await faults.reorganise(1, { drop: [trader.wallet.address] });
  await logged(0);
  expect((await trader.api.listSessionKeys()).keys).toMatchObject([{ status: 'active' }]);
  expect(await differences()).toEqual([]);
});

test('given a transfer that the node omitted many blocks ago, records it', {
  tags: ['long'],
}, async () => {
  const trader = await createDeployedTrader(stack.description());
  await expectBooked(`user:${trader.account}`, '10000000000');
  const processors = stack.description().pids.processor;
  for (const pid of processors) process.kill(pid, 'SIGSTOP');
  await sendUsdc(trader, 3_000_000n);
  await faults.mine(60);
  await faults.arm('logs_empty', 10);
  for (const pid of processors) process.kill(pid, 'SIGCONT');
  await expectBooked(`user:${trader.account}`, '9997000000');
  expect(await differences()).toEqual([]);
});

/** More logs than one response of the node, in each of several blocks. */
async function sendTooMuch(busy: Trader, quiet: Trader): Promise<void> {
  for (let block = 0; block < 3; block += 1) {
    await sendUsdc(busy, ...Array.from({ length: 20 }, () => 1n));
    await sendUsdc(quiet, 1_000_000n);
  }
}

test('given an account with too many transfers in a block, does not delay others', {
  timeout: 180_000,
}, async () => {
  const busy = await createDeployedTrader(stack.description());
  const quiet = await createDeployedTrader(stack.description());
  await expectBooked(`user:${busy.account}`, '10000000000');
  await expectBooked(`user:${quiet.account}`, '10000000000');
  await faults.limitLogs(8);
  await sendTooMuch(busy, quiet);
  await expectBooked(`user:${quiet.account}`, '9997000000');
  await expectBooked(`user:${busy.account}`, '9999999940');
  expect(await differences()).toEqual([]);
  const received = await query<{ n: number }>(
    'select count(*)::int as n from usdc_transfers where from_address = $1',
    [busy.account],
  );
  expect(received).toEqual([{ n: 60 }]);
});

test('given a block whose logs are unavailable, records the account by its balance', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const busy = await createDeployedTrader(stack.description());
  const quiet = await createDeployedTrader(stack.description());
  await expectBooked(`user:${busy.account}`, '10000000000');
  await expectBooked(`user:${quiet.account}`, '10000000000');
  await faults.limitLogs(8);
  await faults.arm('block_receipts_error', 1_000_000);
  await sendTooMuch(busy, quiet);
  await expectBooked(`user:${quiet.account}`, '9997000000');
  await expectBooked(`user:${busy.account}`, '9999999940');
  expect(await differences()).toEqual([]);
  // Logs that become available replace it, and count once.
  await faults.clear();
  await sendUsdc(quiet, 1n);
  await expectBooked(`user:${quiet.account}`, '9996999999');
  const received = async () => {
    const [row] = await query<{ n: number }>(
      'select count(*)::int as n from usdc_transfers where from_address = $1',
      [busy.account],
    );
    return row?.n === 60 || undefined;
  };
  expect(await pollUntil(received, { everyMs: 250 })).toBe(true);
  await expectBooked(`user:${busy.account}`, '9999999940');
  expect(await differences()).toEqual([]);
});

test('records refused tokens for the account that received them', async () => {
  const trader = await createDeployedTrader(stack.description());
  const refusing = await deployRefusing(stack.description(), trader);
  const body = orderBody(stack.description(), trader, {
    direction: 'BUY',
    ticker,
    side: 'yes',
    contracts: '3',
    quoteLimit: '2.9',
  });
  const order = await trader.api.createCalldataOrder({ ...body, receiverAddress: refusing });
  await sendTransactions(stack.description(), trader, order.transactions);
  expect((await untilComplete(trader, order.intent.id)).status).toBe('completed');
  expect(await differences()).toEqual([]);
  expect(await booked(`user:${refusing}`, `token:${ticker}:yes`)).toBe('0');
  expect(await booked(`user:${trader.account}`, `token:${ticker}:yes`)).toBe('3000000');
});

test('given a refund that its account refuses, owes it to the account', async () => {
  const trader = await createTrader(stack.description());
  const terms = { direction: 'BUY', ticker, contracts: '1', price: '0.05' } as const;
  const body = limitBody(stack.description(), trader, terms);
  const { id } = (await trader.api.createOrder(body)).intent;
  await untilLogged(trader, id, 'resting');
  await faults.setUsdcBlocked(trader.account, true);
  await trader.api.cancelOrder(id);
  const { returnedQuoteAmount } = await untilComplete(trader, id);
  expect(await differences()).toEqual([]);
  expect(await booked('claimable')).toBe(parseMicros(returnedQuoteAmount ?? '0').toString());
});

test('given too little cash at the exchange, refunds with that reason and raises an alert meanwhile', {
  tags: ['long'],
}, async () => {
  const trader = await createTrader(stack.description());
  const body = (clientId: string) =>
    orderBody(stack.description(), trader, {
      direction: 'BUY',
      ticker,
      side: 'no',
      contracts: '2',
      quoteLimit: '1.9',
      clientId,
    });
  await controlExchange(stack.description(), 'faults', {
    arm: [{ kind: 'insufficient_balance', times: 5 }],
  });
  const refused = await trader.api.createOrder(body('short'));
  expect(await untilComplete(trader, refused.intent.id)).toMatchObject({
    status: 'failed',
    terminationReason: 'exchange_unfunded',
    returnedQuoteAmount: '1.9',
  });
  const alerts = async () => (await trader.api.getStatus()).alerts.map((alert) => alert.kind);
  expect(await alerts()).toContain('exchange_unfunded');
  expect(await differences()).toEqual([]);
  const taken = await trader.api.createOrder(body('funded'));
  expect((await untilComplete(trader, taken.intent.id)).status).toBe('completed');
  expect(await alerts()).not.toContain('exchange_unfunded');
  expect(await differences()).toEqual([]);
});

test('settled markets: netted pairs, collateral, redemptions by order and by third parties', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const [anna, ben] = [
    await createDeployedTrader(stack.description()),
    await createTrader(stack.description()),
  ];
  const market = await takeMarket(anna);
  const buy = buyOn(stack.description());
  await buy(anna, market, 'yes', '7');
  await buy(ben, market, 'no', '5');
  await controlExchange(stack.description(), 'settle', {
    ticker: market,
    result: 'scalar',
    payoutYesDollars: '0.37',
  });
  await untilRedeemable(anna, market);
  expect(await differences()).toEqual([]);
  const sale = await ben.api.createOrder(
    orderBody(stack.description(), ben, {
      direction: 'SELL',
      ticker: market,
      side: 'no',
      contracts: '5',
      quoteLimit: '3.15',
    }),
  );
  expect((await untilComplete(ben, sale.intent.id)).status).toBe('completed');
  // Any address may have the settlement pay a holder.
  const data = encodeFunctionData({
    abi: settlementAbi,
    functionName: 'redeem',
    args: [anna.account, marketKeyOf(market), 0, 7_000_000n],
  });
  const { settlement } = stack.description().contracts;
  await sendTransactions(stack.description(), ben, [{ to: settlement, value: '0', data }]);
  expect(await differences()).toEqual([]);
  expect(await booked(`user:${anna.account}`, `token:${market}:yes`)).toBe('0');
  expect(await booked('collateral')).toBe('0');
});

/** Items whose time differs from their current block's. */
async function misplaced(items: readonly ActivityItem[]): Promise<string[]> {
  const chain = chainReader(stack.description());
  const wrong: string[] = [];
  for (const { kind, at, transactionHash } of items) {
    if (transactionHash === null) continue;
    const { blockNumber } = await chain.getTransactionReceipt({ hash: transactionHash as Hash });
    const { timestamp } = await chain.getBlock({ blockNumber });
    if (Date.parse(at) !== Number(timestamp) * 1000) wrong.push(`${kind} ${at}`);
  }
  return wrong;
}

test('given a fork that moves an order, its activity is listed once, at the time of its new block', async () => {
  const chain = chainReader(stack.description());
  const trader = await createDeployedTrader(stack.description());
  // An account that is followed only after its first order gets its deposit with a time of its own.
  await expectBooked(`user:${trader.account}`, '10000000000');
  // A fork resets the local chain's clock: later blocks move to an earlier second.
  const { timestamp, number } = await chain.getBlock();
  const later = (Number(timestamp) + 2) * 1_000;
  await pollUntil(() => Date.now() >= later || undefined);
  const orderId = await stack.placeBuy(trader);
  expect(await untilComplete(trader, orderId)).toMatchObject({ status: 'completed' });
  const read = async () => (await trader.api.listActivity({ address: trader.account })).items;
  const received = (items: readonly ActivityItem[]) =>
    items.map(({ kind, contracts, usdc, orderId: id }) => ({ kind, contracts, usdc, id }));
  // Separate loops read transfers and orders: the order may complete first.
  const before = await pollUntil(async () => {
    const items = await read();
    return items.length > 1 ? items : undefined;
  });
  if (!before) throw new Error('the deposit was never reported');
  expect(received(before)).toEqual([
    expect.objectContaining({ kind: 'buy', contracts: '5', id: orderId }),
    { kind: 'deposit', contracts: null, usdc: '10000', id: null },
  ]);

  const depth = Number((await chain.getBlockNumber()) - number) + 1;
  await faults.reorganise(depth);
  let last: { items: ActivityItem[]; wrong: string[] } = { items: [], wrong: [] };
  const settled = await pollUntil(
    async () => {
      const items = await read();
      last = { items, wrong: await misplaced(items) };
      // Until it is delivered anew, the order has no amount.
      const isComplete = items.every(({ status }) => status === 'completed');
      const isSettled = last.wrong.length === 0 && items.length === before.length && isComplete;
      return isSettled && items[0]?.at !== before[0]?.at ? true : undefined;
    },
    { everyMs: 250 },
  );
  expect(last.wrong).toEqual([]);
  expect(settled).toBe(true);
  // Both blocks may have got the same second, which leaves the order of their items open.
  const moved = received(last.items);
  expect(moved).toHaveLength(before.length);
  expect(moved).toEqual(expect.arrayContaining(received(before)));
});
