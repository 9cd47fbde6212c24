import assert from 'node:assert/strict';
import { createClient } from '#lib/api/client.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { fetchToken, orderBody, type Trader, untilComplete } from '#sandbox/testing/trader.ts';
import type { Desk } from './desk.ts';

/** Longer than any wait of the service, on a busy machine. */
const PATIENCE_MS = 90_000;

/** Orders contracts of YES for at most 98 cents each; answers the intent. */
export async function placeBuy(
  desk: Desk,
  trader: Trader,
  ticker: string,
  contracts = 2,
): Promise<string> {
  const body = orderBody(desk.sandbox(), trader, {
    direction: 'BUY',
    ticker,
    side: 'yes',
    contracts: contracts.toString(),
    bound: (contracts * 0.98).toFixed(2),
  });
  return (await trader.api.createOrder(body)).intent.id;
}

/** The same wallet at the service as it is now: after a restart, or a restore. */
export async function signInAgain(desk: Desk, trader: Trader): Promise<Trader> {
  const { baseUrl, apiKey } = desk.sandbox();
  const token = await fetchToken(createClient({ baseUrl, apiKey }), trader.wallet);
  return { ...trader, api: createClient({ baseUrl, apiKey, token }) };
}

/** Withdraws USDC to an address; answers the intent. */
export async function placeWithdrawal(
  desk: Desk,
  trader: Trader,
  amount: string,
  to: string,
): Promise<string> {
  const { intent } = await trader.api.withdraw({
    intentType: 'Withdraw',
    destinationAddress: to,
    amount,
    tokenType: 'erc20',
    tokenAddress: desk.sandbox().contracts.usdc,
  });
  return intent.id;
}

/** Waits until an order that a restored database had lost is there again. */
export async function untilRecovered(trader: Trader, id: string): Promise<void> {
  const found = await pollUntil(
    async () => {
      try {
        return await trader.api.getOrder(id);
      } catch (error) {
        if (isApiProblem(error) && error.status === 404) return undefined;
        throw error;
      }
    },
    { timeoutMs: PATIENCE_MS, everyMs: 250 },
  );
  assert.ok(found, `${id} was not recovered`);
}

export async function expectCompleted(trader: Trader, id: string): Promise<OrderRecordWithEvents> {
  const order = await untilComplete(trader, id, PATIENCE_MS);
  assert.equal(order.status, 'completed', `${id} ended: ${order.terminationReason}`);
  return order;
}

/** Waits until an intent is in this state, without being over. */
export async function untilStanding(trader: Trader, id: string, status: string): Promise<void> {
  const seen = await pollUntil(
    async () => {
      const order = await trader.api.getOrder(id);
      assert.equal(order.isComplete, false, `${id} is over: ${order.terminationReason}`);
      return order.status === status || undefined;
    },
    { timeoutMs: PATIENCE_MS, everyMs: 100 },
  );
  assert.ok(seen, `${id} did not become ${status}`);
}

/** How the service refuses an order: the code of its problem; undefined when it takes it. */
export async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}
