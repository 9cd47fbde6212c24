import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createClient } from '#lib/api/client.ts';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { parseMicros } from '#lib/money.ts';
import { backupCluster, restoreCluster } from '#sandbox/database/backup.ts';
import { withRuntime } from '#sandbox/testing/books.ts';
import { sendTransactions } from '#sandbox/testing/chainTrader.ts';
import { controlExchange, fillRestingOrder } from '#sandbox/testing/exchangeControl.ts';
import { readExchangeRecord } from '#sandbox/testing/exchangeTrades.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import {
  createTrader,
  fetchToken,
  findLiquidMarket,
  limitBody,
  orderBody,
  readHoldings,
  signIn,
  type Trader,
  untilComplete,
  untilLogged,
} from '#sandbox/testing/trader.ts';
import { clientOrderIdOf } from '#server/domain/orders/lifecycle/attempts.ts';

/** Restores the database to an earlier moment while exchange and chain have moved on. */

const stack = ownTestStack('restore');
const { dataDir, differences } = stack;
const backup = join(dataDir, 'backup');
let ticker = '';

beforeAll(async () => {
  ticker = await findLiquidMarket(await signIn(stack.description()));
});

async function order(
  trader: Trader,
  what: { direction: 'BUY' | 'SELL'; contracts: string; clientId: string; side?: 'yes' | 'no' },
): Promise<string> {
  const quoteLimit = what.direction === 'BUY' ? (Number(what.contracts) * 0.98).toFixed(2) : '0.01';
  const body = orderBody(stack.description(), trader, { side: 'yes', ...what, ticker, quoteLimit });
  return (await trader.api.createOrder(body)).intent.id;
}

/** An order that the trader's own wallet sends. */
async function issue(trader: Trader, clientId: string) {
  const what = {
    side: 'yes',
    direction: 'BUY',
    contracts: '2',
    quoteLimit: '1.96',
    clientId,
  } as const;
  return await trader.api.createCalldataOrder(
    orderBody(stack.description(), trader, { ...what, ticker }),
  );
}

async function send(trader: Trader, issued: Awaited<ReturnType<typeof issue>>): Promise<string> {
  await sendTransactions(stack.description(), trader, issued.transactions);
  return issued.intent.id;
}

async function withdraw(trader: Trader, amount: string): Promise<string> {
  const { intent } = await trader.api.withdraw({
    intentType: 'Withdraw',
    destinationAddress: trader.wallet.address,
    amount,
    tokenType: 'erc20',
    tokenAddress: stack.description().contracts.usdc,
  });
  return intent.id;
}

/** All balances at chain and exchange: a restore must change none of them. */
async function outsideWorld(traders: Trader[]) {
  const outcome = (side: 'yes' | 'no') => ({ ticker, side });
  const holdings = await Promise.all(
    traders.flatMap(({ account }) => [
      readHoldings(stack.description(), account, outcome('yes')),
      readHoldings(stack.description(), account, outcome('no')),
    ]),
  );
  return await withRuntime(dataDir, async ({ exchange }) => ({
    holdings,
    cash: await exchange.getBalanceMicros(),
    positions: (await exchange.listPositions()).filter((one) => one.ticker === ticker),
  }));
}

function outcomeOf(done: OrderRecordWithEvents) {
  const { id, status, filledBaseQuantity, quoteAmount, feeQuoteAmount, transactionHash } = done;
  return { id, status, filledBaseQuantity, quoteAmount, feeQuoteAmount, transactionHash };
}

function pauseProcessors(signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of stack.description().pids.processor) process.kill(pid, signal);
}

test('catches up from exchange and chain: nothing lost, nothing done twice', {
  tags: ['long'],
  timeout: 300_000,
}, async () => {
  const anna = await createTrader(stack.description());
  await untilComplete(
    anna,
    await order(anna, { direction: 'BUY', contracts: '6', clientId: 'early' }),
  );
  expect(await differences()).toEqual([]);

  // The backup knows these orders as accepted, not as started.
  pauseProcessors('SIGSTOP');
  const begun = await order(anna, { direction: 'BUY', contracts: '3', clientId: 'begun' });
  const withdrawal = await withdraw(anna, '7.25');
  const sentLater = await issue(anna, 'sent-later');
  await backupCluster({
    url: stack.description().databaseUrl,
    home: stack.folder.database,
    target: backup,
  });
  pauseProcessors('SIGCONT');

  // The backup knows nothing from here on.
  const ben = await createTrader(stack.description());
  const done = [await untilComplete(anna, begun), await untilComplete(anna, withdrawal)];
  const lost = [
    await untilComplete(
      anna,
      await order(anna, { direction: 'SELL', contracts: '2', clientId: 'sold' }),
    ),
    await untilComplete(
      ben,
      await order(ben, { direction: 'BUY', contracts: '4', clientId: 'no', side: 'no' }),
    ),
  ];
  done.push(await untilComplete(anna, await send(anna, sentLater)));
  lost.push(await untilComplete(ben, await send(ben, await issue(ben, 'sent-by-himself'))));
  await untilComplete(anna, await withdraw(anna, '1.5'));
  for (const one of [...done, ...lost]) expect(one.status).toBe('completed');
  const before = await outsideWorld([anna, ben]);
  // A request that no step has processed when everything stops: the restored database lacks it.
  pauseProcessors('SIGSTOP');
  await send(ben, await issue(ben, 'never-looked-at'));
  expect(await outsideWorld([anna, ben])).not.toEqual(before);
  await stack.restart(() => restoreCluster({ home: stack.folder.database, from: backup }));

  const annaNow = await signInAgain(anna);
  const benNow = await signInAgain(ben);
  const after = [
    await untilComplete(annaNow, begun),
    await untilComplete(annaNow, withdrawal),
    await untilComplete(annaNow, sentLater.intent.id),
    await untilComplete(annaNow, lost[0]?.id ?? ''),
    await untilComplete(benNow, lost[1]?.id ?? ''),
    await untilComplete(benNow, lost[2]?.id ?? ''),
  ];
  expect(after.map(outcomeOf)).toEqual([...done, ...lost].map(outcomeOf));
  await expect.poll(() => outsideWorld([anna, ben])).toEqual(before);
  expect(await differences()).toEqual([]);

  // A client without a response repeats the request and receives the same order.
  expect(await order(annaNow, { direction: 'SELL', contracts: '2', clientId: 'sold' })).toBe(
    lost[0]?.id,
  );
  // Trading continues afterwards.
  const next = await order(annaNow, { direction: 'BUY', contracts: '1', clientId: 'next' });
  expect((await untilComplete(annaNow, next)).status).toBe('completed');
  expect(await differences()).toEqual([]);
});

test('given attempts that the exchange has archived since the backup, finds what became of them', {
  tags: ['long'],
  timeout: 300_000,
}, async () => {
  const cleo = await createTrader(stack.description());
  pauseProcessors('SIGSTOP');
  const begun = await order(cleo, { direction: 'BUY', contracts: '3', clientId: 'begun' });
  const target = join(dataDir, 'backup-before-archive');
  const { databaseUrl: url } = stack.description();
  await backupCluster({ url, home: stack.folder.database, target });
  pauseProcessors('SIGCONT');
  const done = [
    await untilComplete(cleo, begun),
    await untilComplete(
      cleo,
      await order(cleo, { direction: 'SELL', contracts: '1', clientId: 'lost' }),
    ),
  ];
  for (const one of done) expect(one.status).toBe('completed');
  const before = await outsideWorld([cleo]);
  await controlExchange(stack.description(), 'archive', { ordersMs: 0, tradesMs: 0 });
  await stack.restart(() => restoreCluster({ home: stack.folder.database, from: target }));
  const cleoNow = await signInAgain(cleo);
  const after: OrderRecordWithEvents[] = [];
  for (const { id } of done) after.push(await untilComplete(cleoNow, id));
  expect(after.map(outcomeOf)).toEqual(done.map(outcomeOf));
  expect(await outsideWorld([cleo])).toEqual(before);
  expect(await differences()).toEqual([]);
});

test('given orders that rest, adopts the known one with its fills, and ends the one whose terms are lost', {
  tags: ['long'],
  timeout: 300_000,
}, async () => {
  await controlExchange(stack.description(), 'market', {
    ticker,
    takers: false,
    priceDollars: '0.5',
  });
  const dora = await createTrader(stack.description());
  const rest = async () => {
    const terms = { direction: 'BUY', ticker, contracts: '8', price: '0.3' } as const;
    const body = limitBody(stack.description(), dora, terms);
    const { id } = (await dora.api.createOrder(body)).intent;
    await untilLogged(dora, id, 'resting');
    return id;
  };
  const fill = (id: string, contracts: string) =>
    fillRestingOrder(stack.description(), { clientOrderId: clientOrderIdOf(id, 1) }, contracts);
  const holdings = (of: Trader) =>
    readHoldings(stack.description(), of.account, { ticker, side: 'yes' });
  const before = await holdings(dora);
  const known = await rest();
  await fill(known, '2');
  await untilLogged(dora, known, 'partially_filled');
  const target = join(dataDir, 'backup-while-resting');
  const { databaseUrl: url } = stack.description();
  await backupCluster({ url, home: stack.folder.database, target });
  // The backup knows nothing from here on: one fill is delivered, one is not.
  await fill(known, '1');
  await untilLogged(dora, known, 'partially_filled', 2);
  const lost = await rest();
  await fill(lost, '3');
  await untilLogged(dora, lost, 'partially_filled');
  pauseProcessors('SIGSTOP');
  await fill(known, '0.25');
  await fill(lost, '0.5');
  await stack.restart(() => restoreCluster({ home: stack.folder.database, from: target }));
  const doraNow = await signInAgain(dora);
  await doraNow.api.cancelOrder(known);
  const cancelled = await untilComplete(doraNow, known);
  expect(cancelled).toMatchObject({
    status: 'completed',
    filledBaseQuantity: '3.25',
    endReason: 'cancelled',
  });
  // Steps begin once lost orders are recovered.
  const ended = await untilComplete(doraNow, lost);
  expect(ended).toMatchObject({
    status: 'completed',
    filledBaseQuantity: '3.5',
    endReason: 'service_interrupted',
  });
  const after = await holdings(doraNow);
  expect(after.contractMicros - before.contractMicros).toBe(6_750_000n);
  const spent = [ended, cancelled].reduce(
    (sum, { quoteAmount }) => sum + parseMicros(quoteAmount ?? '0'),
    0n,
  );
  expect(before.usdcMicros - after.usdcMicros).toBe(spent);
  expect(readExchangeRecord(dataDir).resting.size).toBe(0);
  expect(await differences()).toEqual([]);
});

test('given stop orders, finds the one that has fired since, keeps the one that waits, and returns the one whose terms are lost', {
  tags: ['long'],
  timeout: 300_000,
}, async () => {
  const movePrice = (priceDollars: string) =>
    controlExchange(stack.description(), 'market', { ticker, takers: false, priceDollars });
  await movePrice('0.5');
  const emil = await createTrader(stack.description());
  const bought = await order(emil, { direction: 'BUY', contracts: '6', clientId: 'held' });
  expect(await untilComplete(emil, bought)).toMatchObject({ status: 'completed' });
  const stopAt = async (triggerPrice: string) => {
    const terms = { direction: 'SELL', ticker, side: 'yes', contracts: '2' } as const;
    const stop = { triggerPrice, direction: 'below' } as const;
    const body = orderBody(stack.description(), emil, { ...terms, quoteLimit: '0.1', stop });
    const { id } = (await emil.api.createOrder(body)).intent;
    await untilLogged(emil, id, 'validated');
    return id;
  };
  const holdings = () => readHoldings(stack.description(), emil.account, { ticker, side: 'yes' });
  const [fires, waits] = [await stopAt('0.4'), await stopAt('0.2')];
  const target = join(dataDir, 'backup-while-waiting');
  const { databaseUrl: url } = stack.description();
  await backupCluster({ url, home: stack.folder.database, target });
  // The backup knows nothing from here on.
  await movePrice('0.35');
  const fired = await untilComplete(emil, fires);
  expect(fired).toMatchObject({ status: 'completed', filledBaseQuantity: '2' });
  const lost = await stopAt('0.1');
  const before = await holdings();
  await stack.restart(() => restoreCluster({ home: stack.folder.database, from: target }));
  const emilNow = await signInAgain(emil);
  expect(outcomeOf(await untilComplete(emilNow, fires))).toEqual(outcomeOf(fired));
  expect(await untilComplete(emilNow, lost)).toMatchObject({
    terminationReason: 'service_interrupted',
    returnedBaseQuantity: '2',
  });
  expect(await emilNow.api.getOrder(waits)).toMatchObject({ status: 'validated' });
  await movePrice('0.15');
  const sold = await untilComplete(emilNow, waits);
  expect(sold).toMatchObject({ status: 'completed', filledBaseQuantity: '2' });
  const after = await holdings();
  expect(after.contractMicros - before.contractMicros).toBe(2_000_000n);
  expect(after.usdcMicros - before.usdcMicros).toBe(parseMicros(sold.quoteAmount ?? '0'));
  expect(await differences()).toEqual([]);
});

/** The same wallet, signed in at the restored service. */
async function signInAgain(trader: Trader): Promise<Trader> {
  const { baseUrl, apiKey } = stack.description();
  const token = await fetchToken(createClient({ baseUrl, apiKey }), trader.wallet);
  return { ...trader, api: createClient({ baseUrl, apiKey, token }) };
}
