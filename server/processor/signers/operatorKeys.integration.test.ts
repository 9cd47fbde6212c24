import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Address, type Hex, parseEther } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { base } from '#lib/chains.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { loadSecrets } from '#sandbox/secrets.ts';
import { chainReader, createDeployedTrader } from '#sandbox/testing/chainTrader.ts';
import { ownFaultyStack } from '#sandbox/testing/faultyStack.ts';
import { startSecondProcessor } from '#sandbox/testing/runningProcessor.ts';
import {
  createTrader,
  readHoldings,
  signIn,
  signWithdrawal,
  untilComplete,
  WIDE_LIMITS,
} from '#sandbox/testing/trader.ts';
import { CRASH_FILE } from '../runner/checkpoints.ts';

/** Keys in trouble: fees, nonces, gas money, and several processes that share keys. */

const GWEI = 10n ** 9n;

const troubled = ownFaultyStack('operator-keys');
const sandbox = troubled.description;
const crashFile = join(troubled.faultDir, CRASH_FILE);
let operators: PrivateKeyAccount[];

beforeAll(async () => {
  const { chain } = await loadSecrets(troubled.folder.secrets);
  operators = chain.operators.map((key) => privateKeyToAccount(key));
});
afterEach(() => troubled.faults.clear());

type InFlight = { id: string; signer: Address; nonce: string; kind: string };

const inFlight = () =>
  troubled.query<InFlight>(
    `select distinct t.id, t.signer, t.nonce::text, o.kind from chain_transactions t
     join chain_operations o on o.transaction_id = t.id where t.state in ('signed', 'lost')`,
  );

/** Waits until a transaction of this kind has been signed that cannot be mined. */
async function awaitInFlight(kind: string): Promise<InFlight> {
  const found = await pollUntil(async () =>
    (await inFlight()).find((transaction) => transaction.kind === kind),
  );
  if (!found) throw new Error(`no ${kind} was signed`);
  return found;
}

const alertsOpen = async () =>
  await troubled.query(`select kind from alerts where resolved_at is null`);

async function untilAlert(kind: string, isOpen: boolean): Promise<void> {
  const seen = await pollUntil(
    async () => (await alertsOpen()).some((alert) => alert.kind === kind) === isOpen || undefined,
  );
  expect(seen, `${kind} ${isOpen ? 'is raised' : 'has ended'}`).toBe(true);
}

describe('a fee that is too low', () => {
  test('is raised', () => isRaised());

  test(
    'is raised, also when the processor dies between signing and sending',
    { tags: ['long'] },
    () => isRaised('chain.replacement_stored'),
  );

  async function isRaised(checkpoint?: string): Promise<void> {
    const trader = await createTrader(sandbox());
    // The fee of the test before falls only by an eighth with each block.
    await troubled.faults.setBaseFee(GWEI);
    await troubled.faults.mine();
    await troubled.faults.holdMining();
    const id = await troubled.placeBuy(trader);
    const { id: transactionId } = await awaitInFlight('grant');
    if (checkpoint) writeFileSync(crashFile, checkpoint);
    await troubled.faults.setBaseFee(20n * GWEI);
    await troubled.faults.releaseMining();
    const order = await untilComplete(trader, id);
    await troubled.expectBought(trader, order);
    expect(existsSync(crashFile)).toBe(false);
    const [transaction] = await troubled.query<{ hash: string; mined_hash: Hex; versions: number }>(
      `select hash, mined_hash,
         (select count(*)::int from chain_replacements r where r.transaction_id = t.id) as versions
       from chain_transactions t where id = $1`,
      [transactionId],
    );
    expect(transaction?.versions).toBeGreaterThanOrEqual(1);
    expect(transaction?.mined_hash).not.toBe(transaction?.hash);
    const mined = await chainReader(sandbox()).getTransaction({
      hash: transaction?.mined_hash ?? '0x',
    });
    expect(mined.maxFeePerGas).toBeGreaterThan(20n * GWEI);
  }

  test('given a fee beyond our cap, waits with an alert', async () => {
    const trader = await createTrader(sandbox());
    await troubled.faults.setBaseFee(400n * GWEI);
    const id = await troubled.placeBuy(trader);
    await untilAlert('transaction_stuck', true);
    await troubled.faults.setBaseFee(GWEI);
    await troubled.faults.mine();
    await troubled.expectBought(trader, await untilComplete(trader, id));
    await untilAlert('transaction_stuck', false);
  });
});

describe('a nonce that a foreign transaction has used', () => {
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
    await chainReader(sandbox()).sendRawTransaction({ serializedTransaction: raw });
  }

  test('moves the work to another nonce, once, also after a crash', {
    tags: ['long'],
  }, async () => {
    const trader = await createTrader(sandbox());
    await troubled.expectBought(
      trader,
      await untilComplete(trader, await troubled.placeBuy(trader)),
    );
    await troubled.faults.holdMining();
    const id = await troubled.placeBuy(trader, 1);
    const stuck = await awaitInFlight('request');
    await spendNonce(stuck);
    writeFileSync(crashFile, 'chain.superseded');
    await troubled.faults.releaseMining();
    const order = await untilComplete(trader, id);
    expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '1' });
    expect(existsSync(crashFile)).toBe(false);
    const requests = await troubled.query(
      `select attempt, state, failure from chain_operations
       where order_id = $1 and kind = 'request' order by attempt`,
      [id],
    );
    expect(requests).toEqual([
      { attempt: 1, state: 'failed', failure: 'nonce_taken' },
      { attempt: 2, state: 'succeeded', failure: null },
    ]);
    const [superseded] = await troubled.query(
      `select state from chain_transactions where id = $1`,
      [stuck.id],
    );
    expect(superseded).toEqual({ state: 'superseded' });
  });

  test.each([
    ['under the permission', false],
    ['signed by the owner', true],
  ])(
    'by ourselves, %s, in a time the database has forgotten, is not paid for twice',
    { tags: ['long'] },
    async (_, isSigned) => {
      const trader = await createDeployedTrader(sandbox(), isSigned ? {} : WIDE_LIMITS);
      const destination = (await signIn(sandbox())).wallet.address;
      const body = {
        intentType: 'Withdraw',
        destinationAddress: destination,
        amount: '7.5',
        tokenType: 'erc20',
        tokenAddress: sandbox().contracts.usdc,
      } as const;
      const { intent } = await trader.api.withdraw(
        isSigned ? await signWithdrawal(trader, body) : body,
      );
      const first = await untilComplete(trader, intent.id);
      expect(first.status).toBe('completed');
      await deleteWithdrawal(intent.id);
      const again = await untilComplete(trader, intent.id);
      expect(again).toMatchObject({ status: 'completed', transactionHash: first.transactionHash });
      const arrived = await readHoldings(sandbox(), destination, {
        ticker: troubled.ticker,
        side: 'yes',
      });
      expect(arrived.usdcMicros).toBe(7_500_000n);
    },
  );

  /** Reverts the stored transaction to a version that was never mined. */
  async function deleteWithdrawal(id: string): Promise<void> {
    await troubled.query(
      `with reverted as (
         update chain_transactions set state = 'signed', mined_hash = null, block_number = null,
           hash = '0x' || md5(hash) || md5(hash)
         where id = (select transaction_id from chain_operations
                     where order_id = $1 and kind = 'withdraw')
       ), resent as (
         update chain_operations set state = 'sent' where order_id = $1 and kind = 'withdraw'
       )
       update orders set status = 'executing', stage = 'withdraw', is_complete = false,
         transaction_hash = null, completed_at = null, next_run_at = now() where id = $1`,
      [id],
    );
  }
});

describe('a key without gas money', () => {
  test('leaves the work to another', async () => {
    const [first] = operators;
    const trader = await createTrader(sandbox());
    await troubled.faults.setGasMoney(first?.address ?? '0x', 0n);
    await troubled.expectBought(
      trader,
      await untilComplete(trader, await troubled.placeBuy(trader)),
    );
    await troubled.faults.setGasMoney(first?.address ?? '0x', parseEther('1000'));
  });

  test('is reported, and works again once it has gas money', async () => {
    const trader = await createTrader(sandbox());
    for (const { address } of operators) await troubled.faults.setGasMoney(address, 0n);
    const id = await troubled.placeBuy(trader);
    await untilAlert('operator_unfunded', true);
    for (const { address } of operators)
      await troubled.faults.setGasMoney(address, parseEther('1000'));
    await troubled.expectBought(trader, await untilComplete(trader, id));
  });
});

describe('several keys', () => {
  test('share the work, one transaction in flight each, many orders in one transaction', {
    tags: ['long'],
  }, async () => {
    const trader = await createTrader(sandbox());
    await untilComplete(trader, await troubled.placeBuy(trader, 1));
    await troubled.faults.holdMining();
    const place = (count: number) =>
      Promise.all(Array.from({ length: count }, () => troubled.placeBuy(trader, 1)));
    const first = await place(20);
    const busy = await pollUntil(async () => {
      const transactions = await inFlight();
      return transactions.length === operators.length ? transactions : undefined;
    });
    expect(busy?.map(({ signer }) => signer).toSorted()).toEqual(
      operators.map(({ address }) => address as string).toSorted(),
    );
    // No key is left to take these.
    const ids = [...first, ...(await place(4))];
    const isWaiting = async () => (await readyRequests()) >= 4 || undefined;
    expect(await pollUntil(isWaiting), 'no requests wait for a key').toBe(true);
    await troubled.faults.releaseMining();
    for (const id of ids) {
      expect(await untilComplete(trader, id)).toMatchObject({ status: 'completed' });
    }
    for (const kind of ['request', 'fill']) {
      const batches = await troubled.query<{ size: number }>(
        `select count(*)::int as size from chain_operations
         where kind = $1 and order_id = any($2) group by transaction_id order by 1 desc`,
        [kind, ids],
      );
      const total = batches.reduce((sum, batch) => sum + batch.size, 0);
      expect(total).toBe(ids.length);
      expect(batches.length, `${kind}: ${batches.map(({ size }) => size).join(' ')}`).toBeLessThan(
        ids.length / 2,
      );
    }
  });

  const readyRequests = async () =>
    (
      await troubled.query(
        `select 1 from chain_operations where kind = 'request' and state = 'ready'`,
      )
    ).length;
});

describe('two processors', () => {
  test('take turns with the same keys: a hanging one is replaced and harmless afterwards', {
    tags: ['long'],
  }, async () => {
    const second = await startSecondProcessor(troubled);
    const hung = sandbox().pids.processor;
    const traders = await Promise.all(Array.from({ length: 3 }, () => createTrader(sandbox())));
    try {
      const before = await Promise.all(traders.map((trader) => troubled.placeBuy(trader)));
      for (const pid of hung) process.kill(pid, 'SIGSTOP');
      for (const [index, id] of before.entries()) {
        const trader = traders[index];
        if (trader) await troubled.expectBought(trader, await untilComplete(trader, id));
      }
      for (const pid of hung) process.kill(pid, 'SIGCONT');
      const trader = await createTrader(sandbox());
      await troubled.expectBought(
        trader,
        await untilComplete(trader, await troubled.placeBuy(trader)),
      );
    } finally {
      for (const pid of hung) process.kill(pid, 'SIGCONT');
      await second.stop();
    }
    const twice = await troubled.query(
      `select signer, nonce from chain_transactions group by signer, nonce having count(*) > 1`,
    );
    expect(twice).toEqual([]);
  });
});
