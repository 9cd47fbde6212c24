import assert from 'node:assert/strict';
import { createClient } from '#lib/api/client.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { fetchToken, type Trader, untilComplete } from '#sandbox/testing/trader.ts';
import { placeBuyOn } from '#sandbox/testing/trades.ts';
import type { AdminConsole } from './adminConsole.ts';

/** Longer than any timeout of the service, on a busy machine. */

/** Orders contracts of YES for at most 98 cents each; returns the order id. */
export async function placeBuy(
  adminConsole: AdminConsole,
  trader: Trader,
  ticker: string,
  contracts = 2,
): Promise<string> {
  return await placeBuyOn(adminConsole.sandbox(), trader, { ticker, contracts });
}

/** The same wallet at the service after a restart or a restore. */
export async function signInAgain(adminConsole: AdminConsole, trader: Trader): Promise<Trader> {
  const { baseUrl, apiKey } = adminConsole.sandbox();
  const token = await fetchToken(createClient({ baseUrl, apiKey }), trader.wallet);
  return { ...trader, api: createClient({ baseUrl, apiKey, token }) };
}

/** Withdraws USDC to an address; returns the order id. */
export async function placeWithdrawal(
  adminConsole: AdminConsole,
  trader: Trader,
  amount: string,
  to: string,
): Promise<string> {
  const { intent } = await trader.api.withdraw({
    intentType: 'Withdraw',
    destinationAddress: to,
    amount,
    tokenType: 'erc20',
    tokenAddress: adminConsole.sandbox().contracts.usdc,
  });
  return intent.id;
}

/** Waits until an order that a restored database had lost is back. */
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
    { everyMs: 250 },
  );
  assert.ok(found, `${id} was not recovered`);
}

export async function expectCompleted(trader: Trader, id: string): Promise<OrderRecordWithEvents> {
  const order = await untilComplete(trader, id);
  assert.equal(order.status, 'completed', `${id} ended: ${order.terminationReason}`);
  return order;
}

/** Waits until an order is in this state without having ended. */
export async function untilLive(trader: Trader, id: string, status: string): Promise<void> {
  const seen = await pollUntil(
    async () => {
      const order = await trader.api.getOrder(id);
      assert.equal(order.isComplete, false, `${id} has ended: ${order.terminationReason}`);
      return order.status === status || undefined;
    },
    { everyMs: 100 },
  );
  assert.ok(seen, `${id} did not become ${status}`);
}

/** The problem code of a rejected order; undefined when it is accepted. */
export async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}
