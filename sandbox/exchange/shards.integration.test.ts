import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pollUntil } from '#sandbox/process/poll.ts';
import { createKalshiExchange } from '#server/exchange/kalshi/kalshiExchange.ts';
import type { Exchange, ShardTransferRequest } from '#server/exchange/port.ts';
import { createLog } from '#server/platform/log.ts';
import { BUSY_TICKER, startTestExchange, type TestExchange } from './testing/testExchange.ts';

const PATH = 'intra_exchange_instance_transfer';
/** Proof of absence within the test, as if the exchange took signatures for a second. */
const TIMING = { toleranceMs: 1_000, absenceMs: 1_500 };

let exchange: TestExchange;
let adapter: Exchange;

beforeAll(async () => {
  exchange = await startTestExchange('ed25519');
  adapter = connect();
});
afterAll(() => exchange.remove());
afterEach(async () => {
  await exchange.control('faults', { clear: true });
  for (const shard of [0, 1, 2, 3]) {
    await exchange.control('exchange', { shard, tradingActive: true, transfersActive: true });
  }
});

function connect(): Exchange {
  return createKalshiExchange({
    url: exchange.url,
    wsUrl: exchange.wsUrl,
    credentials: { keyId: exchange.keyId, privateKeyPem: exchange.privateKeyPem },
    timing: TIMING,
    timeouts: { readMs: 2_000, writeMs: 1_000 },
    log: createLog('test', 'silent'),
  });
}

const place = (change: { ticker?: string; shard?: number } = {}) =>
  adapter.placeOrder({
    clientOrderId: randomUUID(),
    ticker: BUSY_TICKER,
    shard: 0,
    action: 'buy',
    side: 'yes',
    contractMicros: 1_000_000n,
    limitPriceMicros: 990_000n,
    storedAt: new Date(),
    mayBeSent: async () => true,
    ...change,
  });

async function balanceOn(shard: number): Promise<bigint> {
  const balances = await adapter.listBalances();
  return balances.find((one) => one.shard === shard)?.balanceMicros ?? 0n;
}

let amounts = 0n;
/** A transfer with an amount that no other test uses. */
function transfer(change: Partial<ShardTransferRequest> = {}): ShardTransferRequest {
  amounts += 1n;
  return {
    source: 0,
    destination: 3,
    amountMicros: 5_000_000n + amounts * 100n,
    storedAt: new Date(),
    mayBeSent: async () => true,
    ...change,
  };
}

const find = (request: ShardTransferRequest, taken = '') =>
  adapter.findTransfer({ ...request, isTaken: (id) => id === taken });

async function countTransfers(): Promise<unknown> {
  return (await exchange.control('faults', {})).transfers;
}

async function untilComplete(id: string): Promise<void> {
  const isComplete = await pollUntil(
    async () => (await adapter.isTransferComplete(id)) || undefined,
    { everyMs: 50 },
  );
  expect(isComplete).toBe(true);
}

describe('shards', () => {
  it('have markets, balances and statuses of their own', async () => {
    const { markets } = await adapter.catalogue.listMarkets({ status: 'open' });
    expect([...new Set(markets.map((market) => market.shard))].toSorted((a, b) => a - b)).toEqual([
      0, 1, 2, 3,
    ]);
    const balances = await adapter.listBalances();
    expect(balances.map(({ shard }) => shard)).toEqual([0, 1, 2, 3]);
    const sum = balances.reduce((total, one) => total + one.balanceMicros, 0n);
    expect(await adapter.getBalanceMicros()).toBe(sum);
    expect(await adapter.isAllocatedByExchange()).toBe(false);
    await exchange.control('exchange', { shard: 2, tradingActive: false, transfersActive: false });
    const { shards, tradingActive } = await adapter.getStatus();
    expect(tradingActive).toBe(true);
    expect(shards.map((one) => [one.tradingActive, one.transfersActive])).toEqual([
      [true, true],
      [true, true],
      [false, false],
      [true, true],
    ]);
  });

  it('refuse the orders of other shards', async () => {
    expect(await place({ shard: 3 })).toMatchObject({
      kind: 'no_fill',
      reason: 'market_not_found',
    });
    expect(await place()).toMatchObject({ kind: 'done' });
  });

  it('check orders against their own cash', async () => {
    const before = await balanceOn(0);
    await exchange.control('account', { shard: 0, balanceDollars: '0' });
    expect(await place()).toMatchObject({ kind: 'our_fault', code: 'insufficient_balance' });
    await exchange.control('account', { shard: 0, balanceDollars: '1000' });
    expect(await place()).toMatchObject({ kind: 'done' });
    expect(await balanceOn(0)).toBeLessThan(1_000_000_000n);
    await exchange.control('account', {
      shard: 0,
      balanceDollars: (Number(before) / 1e6).toFixed(4),
    });
  });

  it('given a pause, stop the orders of their markets only', async () => {
    await exchange.control('exchange', { shard: 0, tradingActive: false });
    expect(await place()).toMatchObject({ kind: 'wait', code: 'trading_is_paused' });
    await exchange.control('exchange', { shard: 0, tradingActive: true });
    await exchange.control('exchange', { shard: 3, tradingActive: false });
    expect(await place()).toMatchObject({ kind: 'done' });
  });
});

describe('transfers between shards', () => {
  it('take the cash at once and bring it later', async () => {
    await exchange.control('faults', { transferLatencyMs: 1_000 });
    const [source, destination] = [await balanceOn(0), await balanceOn(3)];
    const request = transfer();
    const sent = await adapter.transferCash(request);
    expect(sent.kind).toBe('accepted');
    expect(await balanceOn(0)).toBe(source - request.amountMicros);
    expect(await balanceOn(3)).toBe(destination);
    const found = await find(request);
    if (found.kind !== 'found') throw new Error(`the transfer is ${found.kind}`);
    expect(found.isComplete).toBe(false);
    await untilComplete(found.exchangeTransferId);
    expect(await balanceOn(3)).toBe(destination + request.amountMicros);
    expect(await find(request)).toMatchObject({ isComplete: true });
    expect(await find(request, found.exchangeTransferId)).not.toMatchObject({ kind: 'found' });
  });

  it('given too little cash or a pause, are refused', async () => {
    expect(await adapter.transferCash(transfer({ amountMicros: 10n ** 15n }))).toEqual({
      kind: 'refused',
      code: 'insufficient_balance',
    });
    await exchange.control('exchange', { shard: 3, transfersActive: false });
    expect(await adapter.transferCash(transfer())).toMatchObject({ kind: 'refused' });
  });

  it.each([
    ['drop_after', { path: PATH }],
    ['transfer_5xx_after', {}],
    ['transfer_accept_then_timeout', {}],
  ])('given %s, are unknown and then found', async (kind, more) => {
    const before = Number(await countTransfers());
    await exchange.control('faults', { arm: [{ kind, ...more }] });
    const request = transfer();
    expect(await adapter.transferCash(request)).toMatchObject({ kind: 'unknown' });
    expect(await find(request)).toMatchObject({ kind: 'found' });
    expect(await countTransfers()).toBe(before + 1);
  });

  it.each([
    ['drop_before', { path: PATH }],
    ['transfer_5xx_before', {}],
  ])('given %s, are unknown and then proven absent', async (kind, more) => {
    const before = Number(await countTransfers());
    await exchange.control('faults', { arm: [{ kind, ...more }] });
    const request = transfer();
    expect(await adapter.transferCash(request)).toMatchObject({ kind: 'unknown' });
    expect(await find(request)).toEqual({ kind: 'not_yet_known' });
    const absent = await pollUntil(
      async () => ((await find(request)).kind === 'absent' ? true : undefined),
      { everyMs: 100 },
    );
    expect(absent).toBe(true);
    expect(await countTransfers()).toBe(before);
  });

  it('given a message that may no longer be sent, send nothing', async () => {
    const before = await countTransfers();
    const sent = await adapter.transferCash(transfer({ mayBeSent: async () => false }));
    expect(sent).toEqual({ kind: 'unknown', code: 'not_sent' });
    expect(await countTransfers()).toBe(before);
  });

  it('given a kill of the exchange, arrive after its restart', async () => {
    await exchange.control('faults', { transferLatencyMs: 2_000 });
    const destination = await balanceOn(3);
    const request = transfer();
    const sent = await adapter.transferCash(request);
    if (sent.kind !== 'accepted') throw new Error(`the transfer is ${sent.kind}`);
    await exchange.crashAndRestart();
    adapter = connect();
    await untilComplete(sent.exchangeTransferId);
    expect(await balanceOn(3)).toBe(destination + request.amountMicros);
  });
});
