import type { Address } from 'viem';
import { beforeAll, expect, test } from 'vitest';
import { parseMicros } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { chainReader } from '#sandbox/testing/chainTrader.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import {
  createTrader,
  findLiquidMarket,
  limitBody,
  orderBody,
  readHoldings,
  type Trader,
  untilComplete,
  untilLogged,
} from '#sandbox/testing/trader.ts';
import { clientOrderIdOf } from '#server/domain/orders/lifecycle/attempts.ts';

/** Forks that remove deliveries in part, whose totals are delivered anew, and locks. */

const stack = ownTestStack('resting-forks');
const sandbox = stack.description;
let trader: Trader;
let ticker = '';

beforeAll(async () => {
  trader = await createTrader(sandbox());
  ticker = await findLiquidMarket(trader);
  await controlExchange(sandbox(), 'market', { ticker, takers: false, priceDollars: '0.5' });
});

async function rest(): Promise<string> {
  const terms = { direction: 'BUY', ticker, contracts: '6', price: '0.3' } as const;
  const { intent } = await trader.api.createOrder(limitBody(sandbox(), trader, terms));
  await untilLogged(trader, intent.id, 'resting');
  return intent.id;
}

async function fill(id: string, contracts: string): Promise<void> {
  const clientOrderId = clientOrderIdOf(id, 1);
  await controlExchange(sandbox(), 'fill', { clientOrderId, contracts });
}

/** Replaces the chain from an order's first log of a kind on, without the transactions of our keys. */
async function forkFrom(kind: 'requested' | 'partially_filled', id: string): Promise<void> {
  const [part] = await stack.query<{ block: string }>(
    `select min(e.block_number)::text as block from vault_events e
     join orders o on o.chain_order_id = e.chain_order_id where o.id = $1 and e.kind = $2`,
    [id, kind],
  );
  const signers = await stack.query<{ signer: Address }>(
    'select distinct signer from chain_transactions',
  );
  const head = await chainReader(sandbox()).getBlockNumber();
  const depth = Number(head - BigInt(part?.block ?? head)) + 1;
  await stack.faults.reorganise(depth, { drop: signers.map(({ signer }) => signer) });
}

test('given a fork past a part, while the order rests or after its end, every micro-unit is delivered once', {
  tags: ['long'],
  timeout: 240_000,
}, async () => {
  const holdings = () => readHoldings(sandbox(), trader.account, { ticker, side: 'yes' });
  const before = await holdings();
  const id = await rest();
  await fill(id, '2');
  await untilLogged(trader, id, 'partially_filled');
  await forkFrom('partially_filled', id);
  await fill(id, '1');
  await untilLogged(trader, id, 'partially_filled', 2);
  await fill(id, '3');
  await untilComplete(trader, id);
  await forkFrom('partially_filled', id);
  await untilLogged(trader, id, 'reopened');
  const order = await untilComplete(trader, id);
  expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '6' });
  const after = await holdings();
  expect(after.contractMicros - before.contractMicros).toBe(6_000_000n);
  expect(before.usdcMicros - after.usdcMicros).toBe(parseMicros(order.quoteAmount ?? '0'));
  expect(await stack.differences()).toEqual([]);
});

test('given a fork that removes the lock of a stop order while it waits, locks again and fires once', {
  tags: ['long'],
  timeout: 240_000,
}, async () => {
  const holdings = () => readHoldings(sandbox(), trader.account, { ticker, side: 'yes' });
  const before = await holdings();
  const stop = { triggerPrice: '0.6', direction: 'above' } as const;
  const order = {
    direction: 'BUY',
    ticker,
    side: 'yes',
    contracts: '2',
    quoteLimit: '1.9',
  } as const;
  const body = orderBody(sandbox(), trader, { ...order, stop });
  const { id } = (await trader.api.createOrder(body)).intent;
  await untilLogged(trader, id, 'validated');
  await forkFrom('requested', id);
  const isLocked = async () => {
    const { usdcMicros } = await holdings();
    return before.usdcMicros - usdcMicros === 1_900_000n || undefined;
  };
  expect(await pollUntil(isLocked)).toBe(true);
  expect(await trader.api.getOrder(id)).toMatchObject({
    status: 'validated',
    trigger: { triggeredAt: null },
  });
  await controlExchange(sandbox(), 'market', { ticker, priceDollars: '0.7' });
  const ended = await untilComplete(trader, id);
  expect(ended).toMatchObject({ status: 'completed', filledBaseQuantity: '2' });
  expect(ended.events.filter(({ type }) => type === 'triggered')).toHaveLength(1);
  const after = await holdings();
  expect(after.contractMicros - before.contractMicros).toBe(2_000_000n);
  expect(before.usdcMicros - after.usdcMicros).toBe(parseMicros(ended.quoteAmount ?? '0'));
  expect(await stack.differences()).toEqual([]);
});
