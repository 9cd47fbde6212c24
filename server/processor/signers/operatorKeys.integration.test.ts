import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Address, type Hex, parseEther } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { parseMicros } from '#lib/money.ts';
import { serverEnvironment } from '#sandbox/environment.ts';
import { startNodeChild } from '#sandbox/process/nodeChild.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { loadSecrets, type Secrets } from '#sandbox/secrets.ts';
import type { Stack } from '#sandbox/stack/startStack.ts';
import { type ChainFaultControl, controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import { chainReader } from '#sandbox/testing/chainTrader.ts';
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
import { CRASH_FILE } from '../checkpoints.ts';

/** Keys in trouble: fees, nonces, gas money, and several processes that use the same ones. */

const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-keys-'));
const crashFile = join(dataDir, 'faults', CRASH_FILE);
const GWEI = 10n ** 9n;
const FAUCET_USDC_MICROS = 10_000_000_000n;

let stack: Stack;
let secrets: Secrets;
let faults: ChainFaultControl;
let database: pg.Client;
let operators: PrivateKeyAccount[];
let ticker = '';

beforeAll(async () => {
  mkdirSync(join(dataDir, 'faults'));
  const environment = { SANDBOX_FAULT_DIR: join(dataDir, 'faults'), SERVE_PAGES: 'false' };
  stack = await startTestStack({ dataDir, environment });
  secrets = await loadSecrets(stack.folder.secrets);
  operators = secrets.chain.operators.map((key) => privateKeyToAccount(key));
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

async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
  return (await database.query<Row>(text, values)).rows;
}

async function placeBuy(trader: Trader, contracts = '5'): Promise<string> {
  const bound = contracts === '5' ? '4.9' : '0.98';
  const body = orderBody(stack.description(), trader, {
    direction: 'BUY',
    ticker,
    side: 'yes',
    contracts,
    bound,
  });
  return (await trader.api.createOrder(body)).intent.id;
}

async function expectBought(trader: Trader, order: OrderRecordWithEvents): Promise<void> {
  expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '5' });
  expect(await readHoldings(stack.description(), trader.account, { ticker, side: 'yes' })).toEqual({
    contractMicros: 5_000_000n,
    usdcMicros: FAUCET_USDC_MICROS - parseMicros(order.quoteAmount ?? ''),
  });
  const events = await query(
    `select e.kind, count(*)::int as times from vault_events e
     join orders o on o.chain_order_id = e.chain_order_id where o.id = $1 group by e.kind order by 1`,
    [order.id],
  );
  expect(events).toEqual([
    { kind: 'filled', times: 1 },
    { kind: 'requested', times: 1 },
  ]);
}

type InFlight = { id: string; signer: Address; nonce: string; kind: string };

const inFlight = () =>
  query<InFlight>(
    `select distinct t.id, t.signer, t.nonce::text, o.kind from chain_transactions t
     join chain_operations o on o.transaction_id = t.id where t.state in ('signed', 'lost')`,
  );

/** Waits until a transaction of this kind has been signed, and cannot be mined. */
async function awaitInFlight(kind: string): Promise<InFlight> {
  const found = await pollUntil(
    async () => (await inFlight()).find((transaction) => transaction.kind === kind),
    { timeoutMs: 10_000 },
  );
  if (!found) throw new Error(`no ${kind} was signed`);
  return found;
}

const alertsOpen = async () => await query(`select kind from alerts where resolved_at is null`);

async function untilAlert(kind: string, isOpen: boolean): Promise<void> {
  const seen = await pollUntil(
    async () => (await alertsOpen()).some((alert) => alert.kind === kind) === isOpen || undefined,
    { timeoutMs: 10_000 },
  );
  expect(seen, `${kind} ${isOpen ? 'is raised' : 'is over'}`).toBe(true);
}

describe('a fee that is too low', () => {
  test('is raised, also when the processor dies between signing and sending', async () => {
    const trader = await createTrader(stack.description());
    await faults.holdMining();
    const id = await placeBuy(trader);
    const { id: transactionId } = await awaitInFlight('grant');
    writeFileSync(crashFile, 'chain.replacement_stored');
    await faults.setBaseFee(20n * GWEI);
    await faults.releaseMining();
    const order = await untilComplete(trader, id, 45_000);
    await expectBought(trader, order);
    expect(existsSync(crashFile)).toBe(false);
    const [transaction] = await query<{ hash: string; mined_hash: Hex; versions: number }>(
      `select hash, mined_hash,
         (select count(*)::int from chain_replacements r where r.transaction_id = t.id) as versions
       from chain_transactions t where id = $1`,
      [transactionId],
    );
    expect(transaction?.versions).toBeGreaterThanOrEqual(1);
    expect(transaction?.mined_hash).not.toBe(transaction?.hash);
    const mined = await chainReader(stack.description()).getTransaction({
      hash: transaction?.mined_hash ?? '0x',
    });
    expect(mined.maxFeePerGas).toBeGreaterThan(20n * GWEI);
  });

  test('beyond what we may pay is waited for, with an alert', async () => {
    const trader = await createTrader(stack.description());
    await faults.setBaseFee(400n * GWEI);
    const id = await placeBuy(trader);
    await untilAlert('transaction_stuck', true);
    await faults.setBaseFee(GWEI);
    await faults.mine();
    await expectBought(trader, await untilComplete(trader, id));
    await untilAlert('transaction_stuck', false);
  });
});

describe('a nonce that somebody else has used', () => {
  async function spendNonce(stuck: InFlight): Promise<void> {
    const operator = operators.find((account) => account.address === stuck.signer);
    if (!operator) throw new Error('not one of our keys');
    const raw = await operator.signTransaction({
      type: 'eip1559',
      chainId: base.id,
      nonce: Number(stuck.nonce),
      to: operator.address,
      gas: 21_000n,
      maxFeePerGas: 90n * GWEI,
      maxPriorityFeePerGas: 5n * GWEI,
    });
    await chainReader(stack.description()).sendRawTransaction({ serializedTransaction: raw });
  }

  test('makes the work go on under another one', async () => {
    const trader = await createTrader(stack.description());
    await expectBought(trader, await untilComplete(trader, await placeBuy(trader)));
    await faults.holdMining();
    const id = await placeBuy(trader, '1');
    const stuck = await awaitInFlight('request');
    await spendNonce(stuck);
    await faults.releaseMining();
    const order = await untilComplete(trader, id);
    expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '1' });
    const requests = await query(
      `select attempt, state, failure from chain_operations
       where order_id = $1 and kind = 'request' order by attempt`,
      [id],
    );
    expect(requests).toEqual([
      { attempt: 1, state: 'failed', failure: 'nonce_taken' },
      { attempt: 2, state: 'succeeded', failure: null },
    ]);
    const [superseded] = await query(`select state from chain_transactions where id = $1`, [
      stuck.id,
    ]);
    expect(superseded).toEqual({ state: 'superseded' });
  });

  test('by ourselves, in a time the database has forgotten, is not paid for twice', async () => {
    const trader = await createTrader(stack.description());
    const destination = (await signIn(stack.description())).wallet.address;
    const { intent } = await trader.api.withdraw({
      intentType: 'Withdraw',
      destinationAddress: destination,
      amount: '7.5',
      tokenType: 'erc20',
      tokenAddress: stack.description().contracts.usdc,
    });
    const first = await untilComplete(trader, intent.id);
    expect(first.status).toBe('completed');
    await forgetWithdrawal(intent.id);
    const again = await untilComplete(trader, intent.id);
    expect(again).toMatchObject({ status: 'completed', transactionHash: first.transactionHash });
    const arrived = await readHoldings(stack.description(), destination, { ticker, side: 'yes' });
    expect(arrived.usdcMicros).toBe(7_500_000n);
  });

  /** Puts the database back to a version of the transaction that was never mined. */
  async function forgetWithdrawal(id: string): Promise<void> {
    await query('begin');
    await query(
      `update chain_transactions set state = 'signed', mined_hash = null, block_number = null,
         hash = '0x' || md5(hash) || md5(hash)
       where id = (select transaction_id from chain_operations
                   where order_id = $1 and kind = 'withdraw')`,
      [id],
    );
    await query(
      `update chain_operations set state = 'sent' where order_id = $1 and kind = 'withdraw'`,
      [id],
    );
    await query(
      `update orders set status = 'executing', stage = 'withdraw', is_complete = false,
         transaction_hash = null, completed_at = null, next_run_at = now() where id = $1`,
      [id],
    );
    await query('commit');
  }
});

describe('a key without gas money', () => {
  test('leaves the work to another', async () => {
    const [first] = operators;
    const trader = await createTrader(stack.description());
    await faults.setGasMoney(first?.address ?? '0x', 0n);
    await expectBought(trader, await untilComplete(trader, await placeBuy(trader)));
    await faults.setGasMoney(first?.address ?? '0x', parseEther('1000'));
  });

  test('is reported, and goes on by itself when it has some', async () => {
    const trader = await createTrader(stack.description());
    for (const { address } of operators) await faults.setGasMoney(address, 0n);
    const id = await placeBuy(trader);
    await untilAlert('operator_unfunded', true);
    for (const { address } of operators) await faults.setGasMoney(address, parseEther('1000'));
    await expectBought(trader, await untilComplete(trader, id));
  });
});

describe('several keys', () => {
  test('share the work, one transaction in flight each, many orders in one transaction', async () => {
    const trader = await createTrader(stack.description());
    await untilComplete(trader, await placeBuy(trader, '1'));
    await faults.holdMining();
    const ids = await Promise.all(Array.from({ length: 24 }, () => placeBuy(trader, '1')));
    const busy = await pollUntil(
      async () => {
        const transactions = await inFlight();
        return transactions.length === operators.length ? transactions : undefined;
      },
      { timeoutMs: 10_000 },
    );
    expect(busy?.map(({ signer }) => signer).toSorted()).toEqual(
      operators.map(({ address }) => address as string).toSorted(),
    );
    await pollUntil(async () => ((await readyRequests()) >= 4 ? true : undefined), {
      timeoutMs: 10_000,
    });
    await faults.releaseMining();
    for (const id of ids) {
      expect(await untilComplete(trader, id, 45_000)).toMatchObject({ status: 'completed' });
    }
    for (const kind of ['request', 'fill']) {
      const batches = await query<{ size: number }>(
        `select count(*)::int as size from chain_operations
         where kind = $1 and order_id = any($2) group by transaction_id order by 1 desc`,
        [kind, ids],
      );
      const total = batches.reduce((sum, batch) => sum + batch.size, 0);
      expect(total).toBe(ids.length);
      expect(batches.length, `${kind}: ${batches.map(({ size }) => size)}`).toBeLessThan(
        ids.length / 2,
      );
    }
  });

  const readyRequests = async () =>
    (await query(`select 1 from chain_operations where kind = 'request' and state = 'ready'`))
      .length;
});

describe('two processors', () => {
  test('use the same keys by turns: one that hangs is taken over from, and does no harm later', async () => {
    const second = await startNodeChild({
      title: 'The second order processor',
      entry: 'server/processor/main.ts',
      environment: processorEnvironment(),
      logFile: join(dataDir, 'second.log'),
      stopPatienceMs: 3_000,
      signal: new AbortController().signal,
    });
    const hung = stack.description().pids.processor;
    const traders = await Promise.all(
      Array.from({ length: 3 }, () => createTrader(stack.description())),
    );
    try {
      const before = await Promise.all(traders.map((trader) => placeBuy(trader)));
      for (const pid of hung) process.kill(pid, 'SIGSTOP');
      for (const [index, id] of before.entries()) {
        const trader = traders[index];
        if (trader) await expectBought(trader, await untilComplete(trader, id));
      }
      for (const pid of hung) process.kill(pid, 'SIGCONT');
      const trader = await createTrader(stack.description());
      await expectBought(trader, await untilComplete(trader, await placeBuy(trader)));
    } finally {
      for (const pid of hung) process.kill(pid, 'SIGCONT');
      await second.stop();
    }
    const twice = await query(
      `select signer, nonce from chain_transactions group by signer, nonce having count(*) > 1`,
    );
    expect(twice).toEqual([]);
  });

  function processorEnvironment() {
    const { rpcUrl, contracts, databaseUrl, exchangeUrl } = stack.description();
    return serverEnvironment({ PATH: process.env.PATH }, secrets, {
      port: Number(new URL(stack.description().baseUrl).port),
      databaseUrl,
      exchangeUrl,
      chain: { rpcUrl, contracts },
    });
  }
});
