import { beforeAll, expect, test } from 'vitest';
import { parseMicros } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { controlExchange, fillRestingOrder } from '#sandbox/testing/exchangeControl.ts';
import { readExchangeRecord } from '#sandbox/testing/exchangeTrades.ts';
import { killParts, PARTS } from '#sandbox/testing/killing.ts';
import { insist } from '#sandbox/testing/model/careful.ts';
import { checkTrader } from '#sandbox/testing/model/invariants.ts';
import { createModelTrader, type ModelTrader } from '#sandbox/testing/model/modelTrader.ts';
import { createRandom } from '#sandbox/testing/model/random.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import { findLiquidMarket, limitBody, untilLogged } from '#sandbox/testing/trader.ts';
import { clientOrderIdOf } from '#server/domain/orders/lifecycle/attempts.ts';

/** One order that fills in fifty parts while every process is killed at random. */

const FILLS = 50;
const SEED = Date.now() % 1_000_000;
const LEAST_BETWEEN_KILLS_MS = 2_500;

const startedAt = performance.now();
const stack = ownTestStack('resting-kills');
const { dataDir } = stack;
let trader: ModelTrader;
let ticker = '';
let startupMs = 0;

beforeAll(async () => {
  startupMs = performance.now() - startedAt;
  trader = await createModelTrader(stack.description(), []);
  ticker = await findLiquidMarket(trader);
  trader.markets.push(ticker);
  const market = { ticker, takers: false, priceDollars: '0.5' };
  await controlExchange(stack.description(), 'market', market);
});

test('given fifty fills and kills of every process at random, all of it is exact to the micro-unit', {
  tags: ['long'],
  timeout: 1_800_000,
}, async () => {
  const random = createRandom(SEED);
  const terms = { direction: 'BUY', ticker, contracts: '100', price: '0.3' } as const;
  const body = limitBody(stack.description(), trader, terms);
  const { id } = (await trader.api.createOrder(body)).intent;
  trader.intents.push({ id });
  await untilLogged(trader, id, 'resting');

  const over = new AbortController();
  const killing = killParts(stack, {
    everyMs: () => random.int(LEAST_BETWEEN_KILLS_MS, Math.max(LEAST_BETWEEN_KILLS_MS, startupMs)),
    signal: over.signal,
    pick: () => random.pick(PARTS),
  });
  const order = { clientOrderId: clientOrderIdOf(id, 1) };
  // A fill whose response is lost may have happened: the exchange's own record counts.
  const fillOnce = async () => {
    const isRestored = await insist(() => trader.api.getOrder(id));
    if (isRestored.isComplete) return true;
    const size = ['0.01', '0.37', '1', '1.5'][random.int(0, 3)] ?? '1';
    await fillRestingOrder(stack.description(), order, size).catch(() => undefined);
    return readExchangeRecord(dataDir).fills >= FILLS || undefined;
  };
  const isFilled = await pollUntil(fillOnce, { timeoutMs: 1_200_000, everyMs: 1_000 });
  over.abort();
  const kills = await killing;
  expect(isFilled).toBe(true);

  await insist(() => trader.api.cancelOrder(id));
  const ended = await pollUntil(
    async () => {
      const seen = await insist(() => trader.api.getOrder(id));
      return seen.isComplete ? seen : undefined;
    },
    { timeoutMs: 180_000, everyMs: 250 },
  );
  process.stdout.write(`seed ${SEED}: ${FILLS} fills, ${kills} kills\n`);
  expect(kills).toBeGreaterThan(5);
  const parts = ended?.events.filter(
    ({ type }) => type === 'partially_filled' || type === 'completed',
  );
  const sumOf = (field: 'baseQuantity' | 'quoteAmount') =>
    (parts ?? []).reduce((sum, event) => sum + parseMicros(event[field] ?? '0'), 0n);
  expect(ended).toMatchObject({ status: 'completed', endReason: 'cancelled' });
  expect(sumOf('baseQuantity')).toBe(parseMicros(ended?.filledBaseQuantity ?? '0'));
  expect(sumOf('quoteAmount')).toBe(parseMicros(ended?.quoteAmount ?? '0'));
  expect(await checkTrader(stack.description(), trader)).toEqual([]);
  expect(readExchangeRecord(dataDir)).toMatchObject({ selfTrades: [], resting: new Map() });
  expect(await stack.differences()).toEqual([]);
});
