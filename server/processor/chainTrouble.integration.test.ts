import {
  type Address,
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  http,
  parseEther,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, describe, expect, test } from 'vitest';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { parseMicros } from '#lib/money.ts';
import { outcomeTokenId } from '#lib/outcomeToken.ts';
import type { ChainFaultKind } from '#sandbox/chain/chainFaults.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { REVERTS_ALWAYS } from '#sandbox/testing/chainFaults.ts';
import {
  chainReader,
  claimTokens,
  createDeployedTrader,
  createPlainWalletTrader,
  deployRefusing,
  sendTransactions,
} from '#sandbox/testing/chainTrader.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { ownFaultyStack } from '#sandbox/testing/faultyStack.ts';
import {
  createTrader,
  orderBody,
  readHoldings,
  signWithdrawal,
  type Trader,
  untilComplete,
  WIDE_LIMITS,
} from '#sandbox/testing/trader.ts';
import { FAUCET_USDC_MICROS } from '#server/domain/accounts/faucet.ts';

const troubled = ownFaultyStack('chain-trouble');
const sandbox = troubled.description;

afterEach(async () => {
  await troubled.faults.clear();
  // A test that fails must not leave the exchange paused for those after it.
  await controlExchange(sandbox(), 'faults', { clear: true });
});

type TransferEvent = Extract<(typeof erc20Abi)[number], { name: 'Transfer' }>;

/** More gas money than a test can use. */
const ENOUGH = parseEther('1000');

describe('a broadcast that goes wrong is made good', () => {
  const expectMadeGood = async (kind: ChainFaultKind) => {
    const trader = await createTrader(sandbox());
    await troubled.faults.arm(kind);
    const order = await untilComplete(trader, await troubled.placeBuy(trader));
    await troubled.expectBought(trader, order);
    const operations = await troubled.operationsOf(order.id);
    expect(operations.filter((one) => one.attempt > 1 || one.versions > 1)).toEqual([]);
  };

  test.each(['broadcast_dropped', 'broadcast_cut_after'] as const)('%s', expectMadeGood);
  test.each(['broadcast_error_before', 'broadcast_error_after', 'broadcast_twice'] as const)(
    '%s',
    { tags: ['long'] },
    expectMadeGood,
  );
});

describe('a node that is behind', () => {
  test('that lags on every other request delays an order and does not change it', async () => {
    const trader = await createTrader(sandbox());
    const id = await troubled.placeBuy(trader);
    // The account's balance and grant are read once; a lagging node would be trusted.
    await troubled.awaitVaultEvent(id, 'requested');
    await troubled.faults.lag(3, 2);
    // Readers that meet the lagging node assume lost events and read them again.
    const order = await untilComplete(trader, id);
    await troubled.faults.lag(0);
    await troubled.expectBought(trader, order);
    await troubled.faults.arm('logs_partial', 2);
    await troubled.faults.arm('receipt_missing', 3);
    const second = await untilComplete(trader, await troubled.placeBuy(trader));
    const spent = parseMicros(order.quoteAmount ?? '') + parseMicros(second.quoteAmount ?? '');
    expect(await troubled.holdingsOf(trader)).toEqual({
      contractMicros: 10_000_000n,
      usdcMicros: FAUCET_USDC_MICROS - spent,
    });
  });
});

describe('contracts that are paused', () => {
  afterEach(() => troubled.faults.setVaultPaused(false));

  test('before the funds are locked end the order without moving funds', async () => {
    const trader = await createTrader(sandbox());
    await troubled.faults.setVaultPaused(true);
    const order = await untilComplete(trader, await troubled.placeBuy(trader));
    expect(order).toMatchObject({ status: 'failed', terminationReason: 'contracts_paused' });
    expect(await troubled.holdingsOf(trader)).toEqual({
      contractMicros: 0n,
      usdcMicros: FAUCET_USDC_MICROS,
    });
  });

  test('after the funds are locked delay the delivery', { tags: ['long'] }, async () => {
    const trader = await createTrader(sandbox());
    const id = await troubled.placeBuy(trader);
    await troubled.awaitVaultEvent(id, 'requested');
    await troubled.faults.setVaultPaused(true);
    await pollUntil(
      async () => (await troubled.operationsOf(id)).find((one) => one.failure === 'VaultPaused'),
      { timeoutMs: 5_000 },
    );
    await troubled.faults.setVaultPaused(false);
    await troubled.expectBought(trader, await untilComplete(trader, id));
  });
});

/** How many blocks a fork must remove to include the vault's log of an order. */
async function depthOf(orderId: string, kind: 'requested' | 'filled'): Promise<number> {
  const [{ block } = { block: '0' }] = await troubled.query<{ block: string }>(
    `select e.block_number::text as block from vault_events e
     join orders o on o.chain_order_id = e.chain_order_id where o.id = $1 and e.kind = $2`,
    [orderId, kind],
  );
  return Number((await chainReader(sandbox()).getBlockNumber()) - BigInt(block)) + 1;
}

/** The state after another attestation that lacks the awaited order. */
const OVERTAKEN = {
  BackingStale: { bought: 1_000_000_000n, floor: 0, ageSeconds: 0 },
  BackingExceeded: { bought: 0n, floor: 0, ageSeconds: 900 },
  BelowFloor: { bought: 1_000_000_000n, floor: 1_000_000, ageSeconds: 900 },
} as const;

async function attest(failure: keyof typeof OVERTAKEN): Promise<void> {
  const { ageSeconds, ...backing } = OVERTAKEN[failure];
  const tokenId = outcomeTokenId(troubled.ticker, 'yes');
  const setAge = (seconds: number) =>
    troubled.faults.callVaultAs(
      'ADMIN',
      encodeFunctionData({ abi: swapVaultAbi, functionName: 'setTimings', args: [5, seconds] }),
    );
  const args = [[{ tokenId, ...backing }]] as const;
  await setAge(ageSeconds);
  await troubled.faults.callVaultAs(
    'ATTESTOR',
    encodeFunctionData({ abi: swapVaultAbi, functionName: 'attestBacking', args }),
  );
  const chainTime = async () => (await chainReader(sandbox()).getBlock()).timestamp;
  const attestedAt = await chainTime();
  // Within its own second an attestation with zero maximum age is not stale yet.
  do await setAge(900);
  while ((await chainTime()) <= attestedAt);
}

describe('an attestation that was superseded', { tags: ['long'] }, () => {
  test.each(['BackingStale', 'BackingExceeded', 'BelowFloor'] as const)(
    'before the delivery is made again and the delivery retried: %s',
    async (failure) => {
      const operators = await troubled.faults.listAdmins();
      const trader = await createTrader(sandbox());
      await controlExchange(sandbox(), 'faults', {
        arm: [{ kind: 'order_paused', times: 10_000 }],
      });
      const id = await troubled.placeBuy(trader);
      await troubled.awaitVaultEvent(id, 'requested');
      for (const operator of operators) await troubled.faults.setGasMoney(operator, 0n);
      await controlExchange(sandbox(), 'faults', { clear: true });
      const isAttested = async () =>
        (await troubled.operationsOf(id)).some(
          ({ kind, state }) => kind === 'attest' && state === 'succeeded',
        ) || undefined;
      await pollUntil(isAttested);
      await attest(failure);
      for (const operator of operators) await troubled.faults.setGasMoney(operator, ENOUGH);
      await troubled.expectBought(trader, await untilComplete(trader, id));
      const operations = await troubled.operationsOf(id);
      expect(operations).toContainEqual(expect.objectContaining({ kind: 'fill', failure }));
      expect(operations.filter(({ kind }) => kind === 'attest').length).toBeGreaterThan(1);
    },
    90_000,
  );

  test('given a fork that removed a delivery, attests the price of the delivery again', async () => {
    const operators = await troubled.faults.listAdmins();
    const trader = await createTrader(sandbox());
    const order = await untilComplete(trader, await troubled.placeBuy(trader));
    for (const operator of operators) await troubled.faults.setGasMoney(operator, 0n);
    await troubled.faults.reorganise(await depthOf(order.id, 'filled'), { drop: operators });
    await attest('BelowFloor');
    for (const operator of operators) await troubled.faults.setGasMoney(operator, ENOUGH);
    const isDeliveredAgain = async () => {
      const failed = await troubled.query(
        `select 1 from chain_operations where order_id = $1 and failure = 'BelowFloor'`,
        [order.id],
      );
      const { contractMicros } = await troubled.holdingsOf(trader);
      return (failed.length > 0 && contractMicros === 5_000_000n) || undefined;
    };
    expect(await pollUntil(isDeliveredAgain, { everyMs: 100 })).toBe(true);
    await troubled.expectBought(trader, order);
  });
});

describe('a fork', () => {
  test('that removes our transactions during an order sends them again', async () => {
    const trader = await createTrader(sandbox());
    const id = await troubled.placeBuy(trader);
    await troubled.awaitVaultEvent(id, 'requested');
    const { dropped } = await troubled.faults.reorganise(2, {
      drop: await troubled.faults.listAdmins(),
    });
    expect(dropped).toBeGreaterThan(0);
    await troubled.expectBought(trader, await untilComplete(trader, id));
  });

  test.each([
    ['loses them', true],
    ['moves them', false],
  ])(
    'after an order has ended %s: the chain ends with the same balances',
    async (_what, isLost) => {
      const trader = await createTrader(sandbox());
      const order = await untilComplete(trader, await troubled.placeBuy(trader));
      const drop = isLost ? await troubled.faults.listAdmins() : [];
      await troubled.faults.reorganise(3, { drop });
      const settled = await pollUntil(
        async () => {
          const [open] = await troubled.query(
            `select 1 from chain_transactions where state in ('signed', 'lost')
           union all select 1 from chain_operations where state in ('ready', 'sent')`,
          );
          const { contractMicros } = await troubled.holdingsOf(trader);
          return open === undefined && contractMicros === 5_000_000n ? true : undefined;
        },
        { everyMs: 250 },
      );
      expect(settled).toBe(true);
      await troubled.expectBought(trader, order);
    },
  );
});

describe('a fork that removes half of an order', () => {
  test('after the order ended: repeats what is missing', { tags: ['long'] }, async () => {
    const [requester = '0x', filler = '0x'] = await troubled.faults.listAdmins();
    const trader = await createTrader(sandbox());
    await troubled.faults.setGasMoney(filler, 0n);
    const id = await troubled.placeBuy(trader);
    await troubled.awaitVaultEvent(id, 'requested');
    await troubled.faults.setGasMoney(requester, 0n);
    await troubled.faults.setGasMoney(filler, ENOUGH);
    const order = await untilComplete(trader, id);
    await troubled.faults.setGasMoney(requester, ENOUGH);
    const fillsOf = async () =>
      (await troubled.operationsOf(id)).filter(({ kind }) => kind === 'fill');
    expect((await fillsOf()).map(({ signer }) => signer)).toEqual([filler]);
    await troubled.faults.reorganise(await depthOf(id, 'requested'), { drop: [requester] });
    const settled = await pollUntil(
      async () => {
        const { contractMicros } = await troubled.holdingsOf(trader);
        return contractMicros === 5_000_000n && (await troubled.eventsOf(id)).length === 2
          ? true
          : undefined;
      },
      { everyMs: 100 },
    );
    expect(settled).toBe(true);
    const fills = await fillsOf();
    expect(fills.at(-1)).toMatchObject({ state: 'succeeded' });
    expect(fills.length).toBeGreaterThan(1);
    await troubled.expectBought(trader, order);
  });

  test('before its predecessor is restored: retries what depends on it', {
    tags: ['long'],
  }, async () => {
    const [first = '0x', second = '0x'] = await troubled.faults.listAdmins();
    const trader = await createTrader(sandbox());
    const before = await chainReader(sandbox()).getBlockNumber();
    await troubled.faults.setGasMoney(second, 0n);
    const granted = await untilComplete(trader, await troubled.placeBuy(trader));
    await troubled.faults.setGasMoney(second, ENOUGH);
    await troubled.faults.setGasMoney(first, 0n);
    await controlExchange(sandbox(), 'faults', { arm: [{ kind: 'order_paused', times: 10_000 }] });
    const id = await troubled.placeBuy(trader);
    await troubled.awaitVaultEvent(id, 'requested');
    const head = await chainReader(sandbox()).getBlockNumber();
    await troubled.faults.reorganise(Number(head - before), { drop: [first] });
    const isRefused = async () => {
      const requests = (await troubled.operationsOf(id)).filter((one) => one.kind === 'request');
      return requests.some((one) => one.attempt > 1 && one.state === 'failed') || undefined;
    };
    expect(await pollUntil(isRefused)).toBe(true);
    await troubled.faults.setGasMoney(first, ENOUGH);
    await controlExchange(sandbox(), 'faults', { clear: true });
    const delivered = await untilComplete(trader, id);
    expect(delivered).toMatchObject({ status: 'completed', filledBaseQuantity: '5' });
    const micros = (order: OrderRecord) => parseMicros(order.quoteAmount ?? '');
    const bothBought = async () => {
      const { contractMicros } = await troubled.holdingsOf(trader);
      return contractMicros === 10_000_000n || undefined;
    };
    expect(await pollUntil(bothBought, { everyMs: 100 })).toBe(true);
    expect(await troubled.holdingsOf(trader)).toEqual({
      contractMicros: 10_000_000n,
      usdcMicros: FAUCET_USDC_MICROS - micros(granted) - micros(delivered),
    });
  });

  test('including the account, so that a call succeeds without effect: sends the grant again', async () => {
    const before = await chainReader(sandbox()).getBlockNumber();
    const trader = await createDeployedTrader(sandbox());
    await controlExchange(sandbox(), 'faults', { arm: [{ kind: 'order_paused', times: 10_000 }] });
    const id = await troubled.placeBuy(trader);
    await troubled.awaitVaultEvent(id, 'requested');
    const head = await chainReader(sandbox()).getBlockNumber();
    await troubled.faults.reorganise(Number(head - before), { drop: [trader.wallet.address] });
    const isGrantedAgain = async () => {
      const grants = (await troubled.operationsOf(id)).filter((one) => one.kind === 'grant');
      return grants.some((one) => one.attempt > 1 && one.state === 'succeeded') || undefined;
    };
    expect(await pollUntil(isGrantedAgain)).toBe(true);
    await controlExchange(sandbox(), 'faults', { clear: true });
    await troubled.expectBought(trader, await untilComplete(trader, id));
  });

  test.each([
    ['a withdrawal', false],
    ['one that the owner signed', true],
  ])('with the account, after %s from it: it is made again, once', async (_, isSigned) => {
    const before = await chainReader(sandbox()).getBlockNumber();
    const trader = await createDeployedTrader(sandbox(), isSigned ? {} : WIDE_LIMITS);
    const destination = privateKeyToAccount(generatePrivateKey()).address;
    const received = async () =>
      (await readHoldings(sandbox(), destination, { ticker: troubled.ticker, side: 'yes' }))
        .usdcMicros;
    const body = {
      intentType: 'Withdraw',
      destinationAddress: destination,
      tokenAddress: sandbox().contracts.usdc,
      amount: '7',
      tokenType: 'erc20',
    } as const;
    const { intent } = await trader.api.withdraw(
      isSigned ? await signWithdrawal(trader, body) : body,
    );
    expect(await untilComplete(trader, intent.id)).toMatchObject({ status: 'completed' });
    const head = await chainReader(sandbox()).getBlockNumber();
    await troubled.faults.reorganise(Number(head - before), { drop: [trader.wallet.address] });
    expect(await received()).toBe(0n);
    const isPaid = async () => (await received()) > 0n || undefined;
    expect(await pollUntil(isPaid, { everyMs: 100 })).toBe(true);
    const isStill = async () => {
      const [open] = await troubled.query(
        `select 1 from chain_transactions where state in ('signed', 'lost')
         union all select 1 from chain_operations where state in ('ready', 'sent')`,
      );
      return open === undefined || undefined;
    };
    expect(await pollUntil(isStill, { everyMs: 100 })).toBe(true);
    expect(await received()).toBe(7_000_000n);
    expect((await troubled.holdingsOf(trader)).usdcMicros).toBe(FAUCET_USDC_MICROS - 7_000_000n);
  });

  test('of an order by the user that can no longer be paid for: ends it without a charge', {
    tags: ['long'],
  }, async () => {
    const chain = chainReader(sandbox());
    const before = await chain.getBlockNumber();
    const trader = await createTrader(sandbox());
    await troubled.faults.setGasMoney(trader.wallet.address, ENOUGH);
    const [deposit] = await chain.getLogs({
      address: sandbox().contracts.usdc,
      event: erc20Abi.find((item): item is TransferEvent => item.name === 'Transfer'),
      args: { to: trader.account },
      fromBlock: before,
    });
    const { from } = await chain.getTransaction({ hash: deposit?.transactionHash ?? '0x' });
    await controlExchange(sandbox(), 'faults', {
      arm: [{ kind: 'order_paused', times: 10_000 }],
    });
    const clientId = 'taken-back';
    const { ticker } = troubled;
    const order = {
      direction: 'BUY',
      ticker,
      side: 'yes',
      contracts: '5',
      quoteLimit: '4.9',
    } as const;
    const batch = await trader.api.createCalldataOrder(
      orderBody(sandbox(), trader, { ...order, clientId }),
    );
    await sendTransactions(sandbox(), trader, batch.transactions);
    const { id } = await trader.api.getOrderByClientId(clientId);
    await troubled.awaitVaultEvent(id, 'requested');
    const head = await chain.getBlockNumber();
    await troubled.faults.reorganise(Number(head - before), { drop: [from] });
    expect(await untilComplete(trader, id)).toMatchObject({
      status: 'failed',
      terminationReason: 'request_reverted',
      returnedQuoteAmount: '0',
    });
    await controlExchange(sandbox(), 'faults', { clear: true });
    expect(await troubled.eventsOf(id)).toEqual([]);
    expect((await troubled.holdingsOf(trader)).usdcMicros).toBe(0n);
  });
});

describe('a receiver that refuses the tokens', () => {
  const calldataBody = (trader: Trader, receiverAddress?: Address) => ({
    ...orderBody(sandbox(), trader, {
      direction: 'BUY' as const,
      ticker: troubled.ticker,
      side: 'yes' as const,
      contracts: '5',
      quoteLimit: '4.9',
    }),
    ...(receiverAddress ? { receiverAddress } : {}),
  });

  test('leaves them in the account', async () => {
    const trader = await createDeployedTrader(sandbox());
    const refusing = await deployRefusing(sandbox(), trader);
    const { intent, transactions } = await trader.api.createCalldataOrder(
      calldataBody(trader, refusing),
    );
    await sendTransactions(sandbox(), trader, transactions);
    const order = await untilComplete(trader, intent.id);
    await troubled.expectBought(trader, order);
    expect(order.events).toContainEqual(
      expect.objectContaining({ type: 'receiver_refused', detail: 'delivered_to_account' }),
    );
  });

  test('leaves them claimable when the account refuses them too', { tags: ['long'] }, async () => {
    const trader = await createPlainWalletTrader(sandbox());
    const { intent, transactions } = await trader.api.createCalldataOrder(calldataBody(trader));
    await sendTransactions(sandbox(), trader, transactions);
    await troubled.faults.holdMining();
    await troubled.faults.setCode(trader.wallet.address, REVERTS_ALWAYS);
    await troubled.faults.releaseMining();
    const order = await untilComplete(trader, intent.id);
    expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '5' });
    expect(order.events).toContainEqual(
      expect.objectContaining({ type: 'receiver_refused', detail: 'claimable' }),
    );
    await expectInBooks('claimable', 5_000_000n);
    await troubled.faults.setCode(trader.wallet.address, '0x');
    await claimTokens(sandbox(), trader, { ticker: troubled.ticker, side: 'yes' });
    expect(await troubled.holdingsOf(trader)).toMatchObject({ contractMicros: 5_000_000n });
    await expectInBooks('claimable', 0n);
  });

  test('refusing the dollars of a sale leaves them in the account', {
    tags: ['long'],
  }, async () => {
    const trader = await createDeployedTrader(sandbox());
    await untilComplete(trader, await troubled.placeBuy(trader));
    const blocked = privateKeyToAccount(generatePrivateKey()).address;
    await troubled.faults.setUsdcBlocked(blocked, true);
    const { intent, transactions } = await trader.api.createCalldataOrder({
      ...calldataBody(trader, blocked),
      ...orderBody(sandbox(), trader, {
        direction: 'SELL',
        ticker: troubled.ticker,
        side: 'yes',
        contracts: '5',
        quoteLimit: '0.05',
      }),
    });
    const before = await troubled.holdingsOf(trader);
    await sendTransactions(sandbox(), trader, transactions);
    const order = await untilComplete(trader, intent.id);
    expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '5' });
    expect(order.events).toContainEqual(
      expect.objectContaining({ type: 'receiver_refused', detail: 'delivered_to_account' }),
    );
    const after = await troubled.holdingsOf(trader);
    expect(after.usdcMicros - before.usdcMicros).toBe(parseMicros(order.quoteAmount ?? '0'));
  });

  async function expectInBooks(account: string, contractMicros: bigint): Promise<void> {
    const balance = await pollUntil(async () => {
      const [row] = await troubled.query<{ total: string }>(
        `select coalesce(sum(amount_micros), 0)::text as total from ledger_entries
           where account = $1 and asset = $2`,
        [account, `token:${troubled.ticker}:yes`],
      );
      return row?.total === contractMicros.toString() ? row.total : undefined;
    });
    expect(balance, `${account} in the books`).toBe(contractMicros.toString());
  }
});

// The chain's clock cannot go back, so this test must be the last.
describe('a fork that removes an order permanently', () => {
  test('ends it without a charge', async () => {
    const operators = await troubled.faults.listAdmins();
    const setGas = async (wei: bigint) => {
      for (const operator of operators) await troubled.faults.setGasMoney(operator, wei);
    };
    const trader = await createTrader(sandbox());
    await controlExchange(sandbox(), 'faults', { arm: [{ kind: 'order_paused', times: 10_000 }] });
    const before = await chainReader(sandbox()).getBlockNumber();
    const id = await troubled.placeBuy(trader);
    await troubled.awaitVaultEvent(id, 'requested');
    await setGas(0n);
    const head = await chainReader(sandbox()).getBlockNumber();
    await troubled.faults.reorganise(Number(head - before), { drop: operators });
    const chain = createTestClient({ mode: 'anvil', transport: http(sandbox().rpcUrl) });
    await chain.increaseTime({ seconds: 86_400 });
    await chain.mine({ blocks: 1 });
    await setGas(ENOUGH);
    expect(await untilComplete(trader, id)).toMatchObject({
      status: 'failed',
      terminationReason: 'expired',
      returnedQuoteAmount: '0',
    });
    expect(await troubled.eventsOf(id)).toEqual([]);
    const lines = 'select 1 from ledger_entries where order_id = $1';
    expect(await troubled.query(lines, [id])).toEqual([]);
    expect((await troubled.holdingsOf(trader)).usdcMicros).toBe(FAUCET_USDC_MICROS);
    expect((await troubled.operationsOf(id)).map(({ kind }) => kind)).not.toContain('refund');
  });
});
