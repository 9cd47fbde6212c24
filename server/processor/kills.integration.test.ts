import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { ApiProblem } from '#lib/api/problem.ts';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { parseMicros } from '#lib/money.ts';
import { killParts, PARTS } from '#sandbox/testing/killing.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import {
  createTrader,
  findLiquidMarket,
  orderBody,
  readHoldings,
  signIn,
  type Trader,
} from '#sandbox/testing/trader.ts';
import { FAUCET_USDC_MICROS } from '#server/domain/accounts/faucet.ts';

/** Kills processes during trading; afterwards every micro-unit is accounted for. */

const TRADERS = 6;
const ORDERS_EACH = 60;
/** Longer if startup is slow: killing a process before it is ready proves nothing. */
const LEAST_BETWEEN_KILLS_MS = 2_500;

const startedAt = performance.now();
const stack = ownTestStack('kills');
let betweenKillsMs = LEAST_BETWEEN_KILLS_MS;
let ticker = '';
let kills = 0;

beforeAll(async () => {
  betweenKillsMs = Math.max(LEAST_BETWEEN_KILLS_MS, (performance.now() - startedAt) / 4);
  ticker = await findLiquidMarket(await signIn(stack.description()));
});

/** Retries like a careful client when a response is missing or a 5xx. */
async function insist<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const mayPass = error instanceof ApiProblem && (error.status === 0 || error.status >= 500);
      if (!mayPass || Date.now() > deadline) throw error;
      await delay(200);
    }
  }
}

async function untilFinished(trader: Trader, id: string): Promise<OrderRecordWithEvents> {
  const deadline = Date.now() + 90_000;
  for (;;) {
    const order = await insist(() => trader.api.getOrder(id));
    if (order.isComplete) return order;
    if (Date.now() > deadline) throw new Error(`intent ${id} is still ${order.status}`);
    await delay(150);
  }
}

/**
 * Every third order sells two of the bought contracts. Continues until each part has been killed.
 */
async function tradeOneAfterAnother(trader: Trader): Promise<OrderRecordWithEvents[]> {
  const orders: OrderRecordWithEvents[] = [];
  for (let n = 0; n < ORDERS_EACH || kills < PARTS.length; n += 1) {
    const isSale = n % 3 === 2;
    const body = orderBody(stack.description(), trader, {
      direction: isSale ? 'SELL' : 'BUY',
      ticker,
      side: 'yes',
      contracts: isSale ? '2' : '3',
      quoteLimit: isSale ? '0.1' : '2.9',
      clientId: `kills-${trader.account}-${n}`,
    });
    const { intent } = await insist(() => trader.api.createOrder(body));
    orders.push(await untilFinished(trader, intent.id));
  }
  return orders;
}

function expectedHoldings(orders: OrderRecordWithEvents[]) {
  let contractMicros = 0n;
  let usdcMicros = FAUCET_USDC_MICROS;
  for (const order of orders) {
    const filled = parseMicros(order.filledBaseQuantity ?? '0');
    const quote = parseMicros(order.quoteAmount ?? '0');
    const isSale = 'order' in order.action && order.action.order.orderType === 'SELL';
    contractMicros += isSale ? -filled : filled;
    usdcMicros += isSale ? quote : -quote;
  }
  return { contractMicros, usdcMicros };
}

test('nothing is lost or done twice while processes are killed', {
  timeout: 1_800_000,
  tags: ['long'],
}, async () => {
  const traders: Trader[] = [];
  for (let n = 0; n < TRADERS; n += 1) traders.push(await createTrader(stack.description()));
  const over = new AbortController();
  const killing = killParts(stack, {
    everyMs: () => betweenKillsMs,
    signal: over.signal,
    onKill: () => {
      kills += 1;
    },
  });
  const traded = await Promise.all(traders.map(tradeOneAfterAnother));
  over.abort();
  await killing;

  for (const [index, trader] of traders.entries()) {
    const orders = traded[index] ?? [];
    expect(orders.map((order) => order.status)).toEqual(orders.map(() => 'completed'));
    expect(
      await readHoldings(stack.description(), trader.account, { ticker, side: 'yes' }),
    ).toEqual(expectedHoldings(orders));
  }
  const books = await stack.query<{ total: string; escrow: string }>(
    `select sum(amount_micros)::text as total,
       coalesce(sum(amount_micros) filter (where account = 'escrow'), 0)::text as escrow
     from ledger_entries group by asset`,
  );
  const attempts = await stack.query<{ twice: number }>(
    'select count(*)::int - count(distinct order_id)::int as twice from exchange_attempts',
  );
  expect(books).toEqual(books.map(() => ({ total: '0', escrow: '0' })));
  expect(attempts).toEqual([{ twice: 0 }]);
});
