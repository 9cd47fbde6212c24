import { beforeAll, expect, test } from 'vitest';
import { isApiProblem } from '#lib/api/problem.ts';
import { formatMicros } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { withRuntime } from '#sandbox/testing/books.ts';
import { controlExchange, fillRestingOrder } from '#sandbox/testing/exchangeControl.ts';
import { readExchangeRecord } from '#sandbox/testing/exchangeTrades.ts';
import { insist } from '#sandbox/testing/model/careful.ts';
import { checkTrader } from '#sandbox/testing/model/invariants.ts';
import { createModelTrader, type ModelTrader } from '#sandbox/testing/model/modelTrader.ts';
import { createRandom, type Random } from '#sandbox/testing/model/random.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import { limitBody, orderBody, signIn } from '#sandbox/testing/trader.ts';
import { takeMarket } from '#sandbox/testing/trades.ts';
import { API_KEY_SCOPES, ensureApiKey, generateApiKey } from '#server/domain/auth/apiKeys.ts';
import { clientOrderIdOf } from '#server/domain/orders/lifecycle/attempts.ts';
import { listBookedRests } from '#server/domain/orders/lifecycle/restingSweep.ts';

/**
 * Many accounts whose orders cross, on few markets, through one account at the exchange:
 * `CROSSING_ACCOUNTS=1000` for as many. The exchange's own record decides who traded with whom.
 */

const ACCOUNTS = Number(process.env.CROSSING_ACCOUNTS ?? 200);
const MARKETS = 3;
const ORDERS_EACH = 4;
const AT_ONCE = 24;
/** Sign-ins count against the address, which all accounts share here; more would only wait. */
const SIGN_INS_AT_ONCE = 4;
const SEED = Number(process.env.CROSSING_SEED ?? Date.now() % 1_000_000);
/** What a careful trader expects here: an order may cross, and its funds may be locked or sold. */
const HONEST = ['crosses_open_order', 'insufficient_funds', 'order_not_cancellable'];

const stack = ownTestStack('crossing', {
  environment: { RATE_LIMIT_NETWORK_FACTOR: '10000' },
});
const { dataDir } = stack;
const tickers: string[] = [];
const refusals = new Map<string, number>();

beforeAll(async () => {
  const trader = await signIn(stack.description());
  for (let n = 0; n < MARKETS; n += 1) tickers.push(await takeMarket(trader));
  for (const ticker of tickers) {
    // Only the test fills what rests, so that both sides can be compared once it is quiet.
    const market = { ticker, takers: false, priceDollars: '0.5' };
    await controlExchange(stack.description(), 'market', market);
  }
});

/** Does the work for each item, so many at once. */
async function forEach<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
  atOnce = AT_ONCE,
): Promise<void> {
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) await work(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Accounts with an API key each: rate limits are per key. */
async function createTraders(): Promise<ModelTrader[]> {
  const keys = Array.from({ length: ACCOUNTS }, () => generateApiKey('test'));
  await withRuntime(dataDir, async ({ database }) => {
    for (const [n, key] of keys.entries()) {
      const name = `crossing ${n}`;
      await ensureApiKey({ database }, { key, name, scopes: [...API_KEY_SCOPES], origins: [] });
    }
  });
  const traders: ModelTrader[] = [];
  const create = async (apiKey: string) => {
    traders.push(await createModelTrader({ ...stack.description(), apiKey }, tickers));
  };
  await forEach(keys, create, SIGN_INS_AT_ONCE);
  return traders;
}

/** The reply, or undefined for a refusal that a trader must expect. */
async function ask<Reply>(request: () => Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await insist(request);
  } catch (error) {
    if (!isApiProblem(error)) throw error;
    refusals.set(error.code, (refusals.get(error.code) ?? 0) + 1);
    if (!HONEST.includes(error.code)) throw error;
    return undefined;
  }
}

/** Both outcomes around half a dollar: about every second order would meet one of another account. */
function randomOrder(trader: ModelTrader, random: Random) {
  const sandbox = stack.description();
  const contractMicros = BigInt(random.int(100, 500)) * 10_000n;
  const order = {
    direction: random.chance(0.8) ? 'BUY' : 'SELL',
    ticker: random.pick(tickers),
    side: random.pick(['yes', 'no'] as const),
    contracts: formatMicros(contractMicros),
  } as const;
  if (random.chance(0.3)) {
    const perContract = order.direction === 'BUY' ? 70n : 30n;
    const quoteLimit = formatMicros((contractMicros * perContract) / 100n);
    return orderBody(sandbox, trader, { ...order, quoteLimit });
  }
  const price = `0.${random.int(44, 56)}`;
  const timeInForce = random.chance(0.85) ? ('GTC' as const) : ('IOC' as const);
  return limitBody(sandbox, trader, { ...order, price, timeInForce });
}

async function trade(trader: ModelTrader, random: Random): Promise<void> {
  for (let n = 0; n < ORDERS_EACH; n += 1) {
    const body = randomOrder(trader, random);
    const created = await ask(() => trader.api.createOrder(body));
    if (!created) continue;
    trader.intents.push({ id: created.intent.id });
    const { id } = random.pick(trader.intents);
    if (random.chance(0.4)) await fillSome(id);
    if (random.chance(0.15)) await ask(() => trader.api.cancelOrder(id));
  }
}

/** A stranger takes a part of it; it may have ended, or may not rest yet. */
async function fillSome(id: string): Promise<void> {
  const order = { clientOrderId: clientOrderIdOf(id, 1) };
  await fillRestingOrder(stack.description(), order, '0.37').catch(() => undefined);
}

/** Waits until every order has ended, or rests where that is allowed. */
async function untilQuiet(stages: readonly string[]): Promise<void> {
  await withRuntime(dataDir, async ({ database }) => {
    const open = async () => {
      const { rows } = await database.pool.query<{ n: number }>(
        `select count(*)::int as n from orders where not is_complete and stage <> all($1::text[])`,
        [stages],
      );
      return rows[0]?.n === 0 || undefined;
    };
    const isQuiet = await pollUntil(open, { timeoutMs: 600_000, everyMs: 500 });
    expect(isQuiet, 'orders are still under way').toBe(true);
  });
}

const countEnded = (reason: string) =>
  withRuntime(dataDir, async ({ database }) => {
    const { rows } = await database.pool.query<{ n: number }>(
      'select count(*)::int as n from orders where termination_reason = $1',
      [reason],
    );
    return rows[0]?.n ?? 0;
  });

const bookedRests = () =>
  withRuntime(dataDir, async ({ database }) =>
    (await listBookedRests(database.orm)).map(
      ({ orderId, filledContractMicros }): [string, bigint] => [
        clientOrderIdOf(orderId, 1),
        filledContractMicros,
      ],
    ),
  );

test('given many accounts whose orders cross, no trade has us on both sides and no order is lost', {
  tags: ['long'],
  timeout: 3_600_000,
}, async () => {
  const traders = await createTraders();
  const random = createRandom(SEED);
  await forEach(traders, (trader, n) => trade(trader, random.fork(n)));
  await untilQuiet(['rest']);
  await forEach(traders, async ({ intents }) => {
    for (const { id } of intents) await fillSome(id);
  });

  const rested = await pollUntil(
    async () => {
      const { resting } = readExchangeRecord(dataDir);
      const booked = new Map(await bookedRests());
      const isSame = [...resting].every(([id, filled]) => booked.get(id) === filled);
      return (isSame && booked.size === resting.size) || undefined;
    },
    { everyMs: 500 },
  );
  expect(rested, 'the same orders rest in the books and at the exchange').toBe(true);

  await forEach(traders, async (trader) => {
    await insist(() => trader.api.cancelOrders({}));
  });
  await untilQuiet([]);
  const record = readExchangeRecord(dataDir);
  const placed = traders.reduce((sum, { intents }) => sum + intents.length, 0);
  const ended = await countEnded('crosses_open_order');
  const counts = [...refusals].map(([code, times]) => `${times} × ${code}`).join(', ');
  process.stdout.write(
    `seed ${SEED}: ${ACCOUNTS} accounts, ${placed} orders, ${record.fills} fills; refused ${counts || 'none'}; ended as crossing ${ended}\n`,
  );
  expect(record.selfTrades).toEqual([]);
  expect(record.resting.size).toBe(0);
  expect(record.fills).toBeGreaterThan(ACCOUNTS / 4);
  expect((refusals.get('crosses_open_order') ?? 0) + ended).toBeGreaterThan(0);
  const problems: string[] = [];
  await forEach(traders, async (trader) => {
    problems.push(...(await checkTrader(stack.description(), trader)));
  });
  expect(problems).toEqual([]);
  expect(await stack.differences()).toEqual([]);
});
