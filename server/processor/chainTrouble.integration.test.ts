import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  type Address,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
} from 'viem';
import { base } from 'viem/chains';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { parseMicros } from '#lib/money.ts';
import { outcomeTokenId } from '#lib/outcomeToken.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import type { Stack } from '#sandbox/stack/startStack.ts';
import { type ChainFaultControl, controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import {
  chainReader,
  createDeployedTrader,
  sendTransactions,
} from '#sandbox/testing/chainTrader.ts';
import { startTestStack } from '#sandbox/testing/testStack.ts';
import {
  createTrader,
  findLiquidMarket,
  orderBody,
  readHoldings,
  signIn,
  type Trader,
  untilComplete,
} from '#sandbox/testing/trader.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-trouble-'));
const faultDir = join(dataDir, 'faults');
const FAUCET_USDC_MICROS = 10_000_000_000n;

let stack: Stack;
let faults: ChainFaultControl;
let database: pg.Client;
let ticker = '';

beforeAll(async () => {
  mkdirSync(faultDir);
  const environment = { SANDBOX_FAULT_DIR: faultDir, SERVE_PAGES: 'false' };
  stack = await startTestStack({ dataDir, environment });
  faults = controlChainFaults(stack.description());
  database = new pg.Client({ connectionString: stack.description().databaseUrl });
  await database.connect();
  ticker = await findLiquidMarket(await signIn(stack.description()));
});
afterEach(() => faults.clear());
afterAll(async () => {
  await database?.end();
  await stack?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function placeBuy(trader: Trader, contracts = '5'): Promise<string> {
  const { intent } = await trader.api.createOrder(
    orderBody(stack.description(), trader, {
      direction: 'BUY',
      ticker,
      side: 'yes',
      contracts,
      bound: `${Number(contracts) - 0.1}`,
    }),
  );
  return intent.id;
}

async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
  return (await database.query<Row>(text, values)).rows;
}

/** A completed purchase must look the same whatever the chain did on the way. */
async function expectBought(trader: Trader, order: OrderRecordWithEvents): Promise<void> {
  expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '5' });
  expect(await readHoldings(stack.description(), trader.account, { ticker, side: 'yes' })).toEqual({
    contractMicros: 5_000_000n,
    usdcMicros: FAUCET_USDC_MICROS - parseMicros(order.quoteAmount ?? ''),
  });
  const receipt = await chainReader(stack.description()).getTransactionReceipt({
    hash: order.transactionHash as Hex,
  });
  expect(receipt.status).toBe('success');
}

const holdingsOf = (trader: Trader) =>
  readHoldings(stack.description(), trader.account, { ticker, side: 'yes' });

const eventsOf = (id: string) =>
  query<{ kind: string; times: number }>(
    `select e.kind, count(*)::int as times from vault_events e
     join orders o on o.chain_order_id = e.chain_order_id
     where o.id = $1 group by e.kind order by e.kind`,
    [id],
  );

async function awaitVaultEvent(id: string, kind: string): Promise<void> {
  const seen = await pollUntil(
    async () => (await eventsOf(id)).find((event) => event.kind === kind),
    { timeoutMs: 15_000, everyMs: 10 },
  );
  if (!seen) throw new Error(`the vault did not log that ${id} was ${kind}`);
}

async function expectOnceEach(id: string): Promise<void> {
  expect(await eventsOf(id)).toEqual([
    { kind: 'filled', times: 1 },
    { kind: 'requested', times: 1 },
  ]);
}

type SentOperation = {
  kind: string;
  attempt: number;
  state: string;
  failure: string | null;
  versions: number;
  transactionState: string;
};

const operationsOf = (id: string) =>
  query<SentOperation>(
    `select o.kind, o.attempt, o.state, o.failure, t.state as "transactionState",
       1 + (select count(*)::int from chain_replacements r where r.transaction_id = t.id) as versions
     from chain_operations o left join chain_transactions t on t.id = o.transaction_id
     where o.order_id = $1 order by o.created_at, o.attempt`,
    [id],
  );

describe('a broadcast', () => {
  test.each([
    'broadcast_dropped',
    'broadcast_error_before',
    'broadcast_error_after',
    'broadcast_cut_after',
    'broadcast_twice',
  ] as const)('that goes wrong is made good: %s', async (kind) => {
    const trader = await createTrader(stack.description());
    await faults.arm(kind);
    const order = await untilComplete(trader, await placeBuy(trader));
    await expectBought(trader, order);
    const operations = await operationsOf(order.id);
    expect(operations.filter((one) => one.attempt > 1 || one.versions > 1)).toEqual([]);
  });
});

describe('a node that is behind', () => {
  test('on every other question delays an order and does not change it', async () => {
    const trader = await createTrader(stack.description());
    const id = await placeBuy(trader);
    // What the account holds and permits is read once; a node that is behind would be believed.
    await awaitVaultEvent(id, 'requested');
    await faults.lag(3, 2);
    const order = await untilComplete(trader, id);
    await faults.lag(0);
    await expectBought(trader, order);
    await faults.arm('logs_partial', 2);
    await faults.arm('receipt_missing', 3);
    await expectBoughtMore(trader, order, await untilComplete(trader, await placeBuy(trader)));
  });

  async function expectBoughtMore(
    trader: Trader,
    first: OrderRecordWithEvents,
    second: OrderRecordWithEvents,
  ): Promise<void> {
    const spent = parseMicros(first.quoteAmount ?? '') + parseMicros(second.quoteAmount ?? '');
    expect(await holdingsOf(trader)).toEqual({
      contractMicros: 10_000_000n,
      usdcMicros: FAUCET_USDC_MICROS - spent,
    });
  }
});

describe('contracts that are paused', () => {
  afterEach(() => faults.setVaultPaused(false));

  test('before the funds are locked end the order; nothing has moved', async () => {
    const trader = await createTrader(stack.description());
    await faults.setVaultPaused(true);
    const order = await untilComplete(trader, await placeBuy(trader));
    expect(order).toMatchObject({ status: 'failed', terminationReason: 'contracts_paused' });
    expect(await holdingsOf(trader)).toEqual({
      contractMicros: 0n,
      usdcMicros: FAUCET_USDC_MICROS,
    });
  });

  test('after they are locked delay the delivery', async () => {
    const trader = await createTrader(stack.description());
    const id = await placeBuy(trader);
    await awaitVaultEvent(id, 'requested');
    await faults.setVaultPaused(true);
    await pollUntil(
      async () => (await operationsOf(id)).find((one) => one.failure === 'VaultPaused'),
      { timeoutMs: 5_000 },
    );
    await faults.setVaultPaused(false);
    await expectBought(trader, await untilComplete(trader, id));
  });
});

describe('a fork', () => {
  test('in the middle of an order takes our transactions back: they are sent again', async () => {
    const trader = await createTrader(stack.description());
    const id = await placeBuy(trader);
    await awaitVaultEvent(id, 'requested');
    const { dropped } = await faults.reorganise(2, { drop: await faults.listOperators() });
    expect(dropped).toBeGreaterThan(0);
    await expectBought(trader, await untilComplete(trader, id));
    await expectOnceEach(id);
  });

  test.each([
    ['loses them', true],
    ['moves them', false],
  ])('after an order is over %s: the chain ends with the same balances', async (_what, isLost) => {
    const trader = await createTrader(stack.description());
    const order = await untilComplete(trader, await placeBuy(trader));
    const drop = isLost ? await faults.listOperators() : [];
    await faults.reorganise(3, { drop });
    const settled = await pollUntil(
      async () => {
        const [open] = await query(
          `select 1 from chain_transactions where state in ('signed', 'lost')
           union all select 1 from chain_operations where state in ('ready', 'sent')`,
        );
        const { contractMicros } = await holdingsOf(trader);
        return open === undefined && contractMicros === 5_000_000n ? true : undefined;
      },
      { timeoutMs: 30_000, everyMs: 250 },
    );
    expect(settled).toBe(true);
    await expectBought(trader, order);
    await expectOnceEach(order.id);
  });
});

describe('a fork that takes back half of an order', () => {
  const ENOUGH = parseEther('1000');

  test('after it is over: what is missing is done again', async () => {
    const [requester = '0x', filler = '0x'] = await faults.listOperators();
    const trader = await createTrader(stack.description());
    await faults.setGasMoney(filler, 0n);
    const id = await placeBuy(trader);
    await awaitVaultEvent(id, 'requested');
    await faults.setGasMoney(requester, 0n);
    await faults.setGasMoney(filler, ENOUGH);
    const order = await untilComplete(trader, id);
    await faults.setGasMoney(requester, ENOUGH);
    expect(await signerOf(id, 'fill')).toBe(filler);
    const [{ block } = { block: '0' }] = await query<{ block: string }>(
      `select min(e.block_number)::text as block from vault_events e
       join orders o on o.chain_order_id = e.chain_order_id where o.id = $1`,
      [id],
    );
    const head = await chainReader(stack.description()).getBlockNumber();
    await faults.reorganise(Number(head - BigInt(block)) + 1, { drop: [requester] });
    const settled = await pollUntil(
      async () => {
        const { contractMicros } = await holdingsOf(trader);
        return contractMicros === 5_000_000n && (await eventsOf(id)).length === 2
          ? true
          : undefined;
      },
      { timeoutMs: 30_000, everyMs: 100 },
    );
    expect(settled).toBe(true);
    await expectOnceEach(id);
    const fills = (await operationsOf(id)).filter(({ kind }) => kind === 'fill');
    expect(fills.at(-1)).toMatchObject({ state: 'succeeded' });
    expect(fills.length).toBeGreaterThan(1);
    const { usdcMicros } = await holdingsOf(trader);
    expect(usdcMicros).toBe(FAUCET_USDC_MICROS - parseMicros(order.quoteAmount ?? ''));
  });

  async function signerOf(id: string, kind: string): Promise<string | undefined> {
    const [row] = await query<{ signer: string }>(
      `select t.signer from chain_transactions t join chain_operations o
       on o.transaction_id = t.id where o.order_id = $1 and o.kind = $2`,
      [id, kind],
    );
    return row?.signer;
  }
});

describe('a receiver that refuses the tokens', () => {
  const REVERTS_ALWAYS: Hex = '0x60006000fd';
  const calldataBody = (trader: Trader, receiverAddress?: Address) => ({
    ...orderBody(stack.description(), trader, {
      direction: 'BUY' as const,
      ticker,
      side: 'yes' as const,
      contracts: '5',
      bound: '4.9',
    }),
    ...(receiverAddress ? { receiverAddress } : {}),
  });

  test('leaves them to the account', async () => {
    const trader = await createDeployedTrader(stack.description());
    const refusing = stack.description().contracts.usdc;
    const { intent, transactions } = await trader.api.createCalldataOrder(
      calldataBody(trader, refusing),
    );
    await sendTransactions(stack.description(), trader, transactions);
    const order = await untilComplete(trader, intent.id);
    await expectBought(trader, order);
    expect(order.events).toContainEqual(
      expect.objectContaining({ type: 'receiver_refused', detail: 'delivered_to_account' }),
    );
  });

  test('and an account that does too can claim them', async () => {
    const trader = await createPlainWalletTrader();
    const { intent, transactions } = await trader.api.createCalldataOrder(calldataBody(trader));
    await sendTransactions(stack.description(), trader, transactions);
    await faults.holdMining();
    await setCode(trader.wallet.address, REVERTS_ALWAYS);
    await faults.releaseMining();
    const order = await untilComplete(trader, intent.id);
    expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '5' });
    expect(order.events).toContainEqual(
      expect.objectContaining({ type: 'receiver_refused', detail: 'claimable' }),
    );
    await expectInBooks('claimable', 5_000_000n);
    await setCode(trader.wallet.address, '0x');
    await claimTokens(trader);
    expect(await holdingsOf(trader)).toMatchObject({ contractMicros: 5_000_000n });
    await expectInBooks('claimable', 0n);
  });

  /** One that trades from the wallet itself, without a smart account. */
  async function createPlainWalletTrader(): Promise<Trader> {
    const [rich, trader] = [
      await createTrader(stack.description()),
      await signIn(stack.description()),
    ];
    await faults.setGasMoney(trader.wallet.address, parseEther('1'));
    const { intent } = await rich.api.withdraw({
      intentType: 'Withdraw',
      destinationAddress: trader.wallet.address,
      amount: '100',
      tokenType: 'erc20',
      tokenAddress: stack.description().contracts.usdc,
    });
    await untilComplete(rich, intent.id);
    return { ...trader, account: trader.wallet.address };
  }

  async function setCode(address: Address, bytecode: Hex): Promise<void> {
    const transport = http(stack.description().rpcUrl);
    const client = createTestClient({ mode: 'anvil', chain: base, transport });
    await client.setCode({ address, bytecode });
  }

  async function claimTokens(trader: Trader): Promise<void> {
    const { swapVault } = stack.description().contracts;
    const data = encodeFunctionData({
      abi: swapVaultAbi,
      functionName: 'claimTokens',
      args: [trader.account, outcomeTokenId(ticker, 'yes'), trader.account],
    });
    await sendTransactions(stack.description(), trader, [{ to: swapVault, value: '0', data }]);
  }

  async function expectInBooks(account: string, contractMicros: bigint): Promise<void> {
    const balance = await pollUntil(
      async () => {
        const [row] = await query<{ total: string }>(
          `select coalesce(sum(amount_micros), 0)::text as total from ledger_entries
           where account = $1 and asset = $2`,
          [account, `token:${ticker}:yes`],
        );
        return row?.total === contractMicros.toString() ? row.total : undefined;
      },
      { timeoutMs: 15_000 },
    );
    expect(balance, `${account} in the books`).toBe(contractMicros.toString());
  }
});
