import type { Address } from 'viem';
import { beforeAll, expect, test } from 'vitest';
import { parseMicros } from '#lib/money.ts';
import { chainReader } from '#sandbox/testing/chainTrader.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import {
  createTrader,
  findLiquidMarket,
  limitBody,
  readHoldings,
  type Trader,
  untilComplete,
  untilLogged,
} from '#sandbox/testing/trader.ts';
import { clientOrderIdOf } from '#server/domain/orders/lifecycle/attempts.ts';

/** Forks that remove deliveries in part: their totals are delivered anew. */

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

/** Replaces the chain from an order's first part on, without the transactions of our keys. */
async function forkFromFirstPart(id: string): Promise<void> {
  const [part] = await stack.query<{ block: string }>(
    `select min(e.block_number)::text as block from vault_events e
     join orders o on o.chain_order_id = e.chain_order_id
     where o.id = '${id}' and e.kind = 'partially_filled'`,
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
  await forkFromFirstPart(id);
  await fill(id, '1');
  await untilLogged(trader, id, 'partially_filled', 2);
  await fill(id, '3');
  await untilComplete(trader, id, 90_000);
  await forkFromFirstPart(id);
  await untilLogged(trader, id, 'reopened');
  const order = await untilComplete(trader, id, 90_000);
  expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '6' });
  const after = await holdings();
  expect(after.contractMicros - before.contractMicros).toBe(6_000_000n);
  expect(before.usdcMicros - after.usdcMicros).toBe(parseMicros(order.quoteAmount ?? '0'));
  expect(await stack.differences()).toEqual([]);
});
