import pg from 'pg';
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  type Hash,
  http,
  type PublicClient,
} from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { type CrossbookClient, createClient } from '#lib/api/client.ts';
import type { ActivityItem } from '#lib/api/schemas/activity.ts';
import { base } from '#lib/chains.ts';
import { formatMicros, parseMicros } from '#lib/money.ts';
import { marketKeyOf, OUTCOME_INDEX, outcomeTokenId } from '#lib/outcomeToken.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import {
  createTrader,
  readHoldings,
  type Trader,
  untilComplete,
  WIDE_LIMITS,
} from '#sandbox/testing/trader.ts';
import { buyOn, placeOn, takeMarket, untilRedeemable } from '#sandbox/testing/trades.ts';
import { readMovements } from '#sandbox/testing/transfers.ts';
import { openSession } from '../../api/testing/apiSession.ts';

const sandbox = sandboxUnderTest();
const place = placeOn(sandbox);
const buy = buyOn(sandbox);
const chain = createPublicClient({ chain: base, transport: http(sandbox.rpcUrl) }) as PublicClient;

let trader: Trader;
let stranger: Trader;
/** The results for a foreign key, without a bearer token. */
let outsider: CrossbookClient;
let ticker: string;
let items: ActivityItem[];

async function readAll(api: CrossbookClient, address: string, limit = 500) {
  const all: ActivityItem[] = [];
  let cursor = '';
  do {
    const page = await api.listActivity({ address, limit, ...(cursor ? { cursor } : {}) });
    all.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== '');
  return all;
}

/** The sum of an account's items in USDC. */
function sumOf(list: readonly ActivityItem[]): string {
  const micros = list.map(({ usdc }) => {
    const text = usdc ?? '0';
    return text.startsWith('-') ? -parseMicros(text.slice(1)) : parseMicros(text);
  });
  return formatMicros(micros.reduce((sum, one) => sum + one, 0n));
}

async function withdraw(from: Trader, to: Address, amount: string, tokenId?: bigint) {
  const { intent } = await from.api.withdraw({
    intentType: 'Withdraw',
    destinationAddress: to,
    amount,
    ...(tokenId === undefined
      ? { tokenType: 'erc20', tokenAddress: sandbox.contracts.usdc }
      : {
          tokenType: 'erc1155',
          tokenAddress: sandbox.contracts.outcomeToken,
          tokenId: tokenId.toString(),
        }),
  });
  expect(await untilComplete(from, intent.id)).toMatchObject({ status: 'completed' });
}

/** Any address may have the settlement pay the holder of winning tokens. */
async function redeemFor(holder: Address, contractMicros: bigint): Promise<void> {
  const wallet = createWalletClient({
    account: stranger.wallet,
    chain: base,
    transport: http(sandbox.rpcUrl),
  });
  const hash = await wallet.writeContract({
    address: sandbox.contracts.settlement,
    abi: settlementAbi,
    functionName: 'redeem',
    args: [holder, marketKeyOf(ticker), OUTCOME_INDEX.yes, contractMicros],
  });
  expect((await chain.waitForTransactionReceipt({ hash })).status).toBe('success');
}

/** Failures carry the request's time, completed items their block's: whole seconds. */
async function untilBlockAfter(at: number): Promise<void> {
  const miner = createTestClient({ mode: 'anvil', transport: http(sandbox.rpcUrl) });
  const isLater = async () => {
    await miner.mine({ blocks: 1 });
    const { timestamp } = await chain.getBlock();
    return Number(timestamp) * 1000 > at || undefined;
  };
  expect(await pollUntil(isLater, { everyMs: 250 })).toBe(true);
}

const EXPECTED = [
  'redeem 1.5 1.5 completed',
  'redeem 2 2 completed',
  'transfer_in 0.5 null completed',
  'withdrawal 1 null completed',
  'deposit null 7.25 completed',
  'withdrawal null -12.5 completed',
  'buy 4 null failed',
];

function notify(item: ActivityItem): string {
  return `${item.kind} ${item.contracts} ${item.usdc} ${item.status}`;
}

beforeAll(async () => {
  [trader, stranger] = await Promise.all([
    createTrader(sandbox, WIDE_LIMITS),
    createTrader(sandbox, WIDE_LIMITS),
  ]);
  const { secret } = await stranger.api.createKey({ name: 'Reader', scopes: ['read'] });
  outsider = createClient({ baseUrl: sandbox.baseUrl, apiKey: secret });
  ticker = await takeMarket(trader);
  const order = { ticker, side: 'yes', contracts: '4' } as const;
  await buy(trader, ticker, 'yes', '6');
  await place(trader, { ...order, direction: 'SELL', contracts: '2', quoteLimit: '0.02' });
  await place(trader, { ...order, direction: 'BUY', quoteLimit: '0.4' });
  await untilBlockAfter(Date.now());
  await withdraw(trader, stranger.account, '12.5');
  await buy(stranger, ticker, 'yes', '1');
  await withdraw(stranger, trader.account, '7.25');
  const token = outcomeTokenId(ticker, 'yes');
  await withdraw(trader, stranger.account, '1', token);
  await withdraw(stranger, trader.account, '0.5', token);
  await controlExchange(sandbox, 'settle', { ticker, result: 'yes' });
  await untilRedeemable(trader, ticker);
  await place(trader, { ...order, direction: 'SELL', contracts: '2', quoteLimit: '2' });
  await redeemFor(trader.account, 1_500_000n);
  await pollUntil(
    async () => {
      items = await readAll(trader.api, trader.account);
      return items.length >= EXPECTED.length + 3 ? true : undefined;
    },
    { everyMs: 250 },
  );
});

describe('GET /v1/activity', () => {
  test('200: returns every item once, newest first, regardless of who caused it', () => {
    expect(items.slice(0, EXPECTED.length).map(notify)).toEqual(EXPECTED);
    const [sale, purchase, deposit, ...more] = items.slice(EXPECTED.length);
    expect(more).toEqual([]);
    expect(sale).toMatchObject({ kind: 'sell', contracts: '2', marketId: ticker, side: 'yes' });
    expect(purchase).toMatchObject({ kind: 'buy', contracts: '6', marketId: ticker, side: 'yes' });
    expect(deposit).toMatchObject({ kind: 'deposit', marketId: null, contracts: null });
    expect(deposit?.fee).toBeNull();
    const times = items.map((item) => item.at);
    expect(times).toEqual(times.toSorted().reverse());
    expect(new Set(items.map((item) => item.id)).size).toBe(items.length);
  });

  test('200: includes the fee of trades for those who see the orders, and for no others', async () => {
    const purchase = items.findLast(({ kind }) => kind === 'buy');
    const { feeQuoteAmount } = await trader.api.getOrder(purchase?.orderId ?? '');
    expect(purchase?.fee).toBe(feeQuoteAmount);
    const seen = await readAll(outsider, trader.account);
    expect(seen.find(({ id }) => id === purchase?.id)).toMatchObject({ fee: null });
  });

  test('200: adds up to the account’s balance, to the micro-unit', async () => {
    const held = await readHoldings(sandbox, trader.account, { ticker, side: 'yes' });
    expect(sumOf(items)).toBe(formatMicros(held.usdcMicros));
    const sign = { buy: 1n, transfer_in: 1n, deposit: 0n } as Record<string, bigint>;
    const contracts = items
      .filter((item) => item.status === 'completed')
      .reduce(
        (sum, item) => sum + (sign[item.kind] ?? -1n) * parseMicros(item.contracts ?? '0'),
        0n,
      );
    expect(contracts).toBe(held.contractMicros);
  });

  test('200: carries the times of the blocks', async () => {
    const mined = items.filter((item) => item.status === 'completed' && item.transactionHash);
    expect(mined.length).toBeGreaterThanOrEqual(8);
    for (const item of mined) {
      const hash = item.transactionHash as Address;
      const { blockNumber } = await chain.getTransactionReceipt({ hash });
      const { timestamp } = await chain.getBlock({ blockNumber });
      expect(Date.parse(item.at), item.kind).toBe(Number(timestamp) * 1000);
    }
  });

  test('200: names the orders only to callers who may see them', async () => {
    const ofOrders = items.filter((item) => item.orderId !== null);
    for (const { orderId } of ofOrders) {
      expect((await trader.api.getOrder(orderId ?? '')).userAddress).toBe(trader.wallet.address);
    }
    expect(ofOrders.map((item) => item.kind)).toEqual([
      'redeem',
      'withdrawal',
      'withdrawal',
      'buy',
      'sell',
      'buy',
    ]);
    const shown = await readAll(outsider, trader.account);
    const onChain = items.filter((item) => item.status === 'completed');
    expect(shown).toEqual(onChain.map((item) => ({ ...item, fee: null, orderId: null })));
    const own = await readAll(trader.api, trader.wallet.address);
    expect(own).toEqual(items);
  });

  test('200: pages through all of them, each once', async () => {
    expect(await readAll(trader.api, trader.account, 1)).toEqual(items);
    expect(await readAll(trader.api, trader.account, 3)).toEqual(items);
  });

  test('200: narrows to a kind, a state and a time', async () => {
    const address = trader.account;
    const { items: redeemed } = await trader.api.listActivity({ address, type: 'redeem' });
    expect(redeemed.map(notify)).toEqual(EXPECTED.slice(0, 2));
    const { items: failed } = await trader.api.listActivity({ address, status: 'failed' });
    expect(failed).toEqual(items.filter(({ status }) => status === 'failed'));
    expect(failed.map(notify)).toEqual(['buy 4 null failed']);
    const { items: done } = await trader.api.listActivity({ address, status: 'completed' });
    expect(done).toEqual(items.filter(({ status }) => status === 'completed'));
    const { items: open } = await trader.api.listActivity({ address, status: 'under_way' });
    expect(open).toEqual([]);
    const middle = items[4]?.at ?? '';
    const later = await trader.api.listActivity({ address, from: middle });
    const earlier = await trader.api.listActivity({ address, to: middle });
    expect([...later.items, ...earlier.items]).toEqual(items);
    expect(later.items.every((item) => item.at >= middle)).toBe(true);
  });

  test('400 for an invalid address, kind, time or cursor; 401 without a key', async () => {
    const session = await openSession();
    const path = `/v1/activity?address=${trader.account}`;
    const foreign = Buffer.from('["1","","\\u0000"]').toString('base64url');
    const cases = {
      '/v1/activity': '/query/address',
      '/v1/activity?address=0x12': '/query/address',
      [`${path}&type=gift`]: '/query/type',
      [`${path}&from=yesterday`]: '/query/from',
      [`${path}&limit=501`]: '/query/limit',
      [`${path}&cursor=nonsense`]: '/query/cursor',
      [`${path}&cursor=${foreign}`]: '/query/cursor',
      [`${path}&status=validated`]: '/query/status',
    };
    for (const [target, pointer] of Object.entries(cases)) {
      const refused = await session.refuse('GET', target);
      expect(refused, target).toMatchObject({ status: 400, code: 'invalid_request' });
      expect(refused.errors.map((one) => one.pointer)).toEqual([pointer]);
    }
    expect(await session.refuse('GET', path, { key: false })).toMatchObject({ status: 401 });
    const response = await session.send('GET', path);
    expect(response.status).toBe(200);
  });

  test('200: adds up for an account that traded before it was first seen', async () => {
    const withdrawal = items.find((item) => item.kind === 'withdrawal' && item.usdc !== null);
    const hash = withdrawal?.transactionHash as Hash;
    const { blockNumber } = await chain.getTransactionReceipt({ hash });
    const movements = await readMovements(sandbox, trader.account, { ticker, side: 'yes' });
    const opening = movements
      .filter((one) => one.blockNumber <= blockNumber)
      .reduce((sum, one) => sum + one.usdcMicros, 0n);
    const before = await setOpening(trader.account, { blockNumber, usdcMicros: opening });
    const later = await readAll(trader.api, trader.account);
    await setOpening(trader.account, before);
    expect(sumOf(later)).toBe(sumOf(items));
    expect(later.at(-1)).toMatchObject({ kind: 'deposit', usdc: '10000', transactionHash: null });
    expect(later.map((item) => item.kind)).toEqual(items.map((item) => item.kind));
  });
});

type Opening = { blockNumber: bigint; usdcMicros: bigint };

/** Pretends that the ledger follows the account from another block. @returns the previous state */
async function setOpening(account: Address, to: Opening): Promise<Opening> {
  const database = new pg.Client(sandbox.databaseUrl);
  await database.connect();
  try {
    const known = await database.query<{ block: string; micros: string }>(
      `select opened_at_block::text as block, opening_usdc_micros::text as micros
       from usdc_accounts where address = $1`,
      [account],
    );
    await database.query(
      'update usdc_accounts set opened_at_block = $2, opening_usdc_micros = $3 where address = $1',
      [account, to.blockNumber, to.usdcMicros],
    );
    const [row] = known.rows;
    if (!row) throw new Error(`the books do not follow ${account}`);
    return { blockNumber: BigInt(row.block), usdcMicros: BigInt(row.micros) };
  } finally {
    await database.end();
  }
}
