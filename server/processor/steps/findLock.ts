import { and, eq } from 'drizzle-orm';
import type { Hex } from 'viem';
import { isOrderDone } from '#server/chain/operations/effects.ts';
import type { TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import type { OrderContext } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { TerminationReason } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import { orderEvents } from '#server/platform/database/schema/orders.ts';
import type { StepDeps } from '../runner/stepDeps.ts';
import { requestFailureReason } from '../watchers/requestFailure.ts';

/** How long after an order's expiry a request may still show up in the chain's logs. */
export const LATE_REQUEST_MS = 30_000;

/**
 * Whether the vault holds the input of an order that was once locked: it does, it will again, or it
 * never will.
 */
export type Lock = 'stands' | 'awaited' | { lost: TerminationReason };

/**
 * A fork can take the lock back after the order has gone on. What is ours to send is sent again by
 * whoever settles transactions, until it is through or can never be: the market may have settled on
 * the new branch, or the permission be gone. What the user sent comes back by itself, fails there,
 * or does not come before the order expires. While nothing is locked there is nothing to deliver or
 * to return.
 */
export async function findLock(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderContext,
): Promise<Lock> {
  if (facts.event('requested')) return 'stands';
  const request = facts.operation('request');
  const isGivenUp = request ? request.state === 'failed' : await isNeverComing(deps, order);
  if (!isGivenUp) return 'awaited';
  // The logs may be read later than the vault knows.
  if (await isOrderDone(deps.chain, order.chainOrderId as Hex, 'request')) return 'awaited';
  return { lost: request ? requestFailureReason(request.failure) : 'request_reverted' };
}

/** Of what the user sent: the order's time is over, or the transaction that had locked has failed. */
async function isNeverComing(deps: StepDeps, order: TradeOrder): Promise<boolean> {
  if (order.expiresAt.getTime() + LATE_REQUEST_MS < Date.now()) return true;
  const [locked] = await deps.database.orm
    .select({ hash: orderEvents.transactionHash })
    .from(orderEvents)
    .where(and(eq(orderEvents.orderId, order.id), eq(orderEvents.type, 'validated')));
  if (!locked?.hash) return false;
  const { client, confirmations } = deps.chain;
  const [receipt, head] = await Promise.all([
    client.request({ method: 'eth_getTransactionReceipt', params: [locked.hash as Hex] }),
    client.getBlockNumber({ cacheTime: 0 }),
  ]);
  if (receipt?.status !== '0x0') return false;
  return head + 1n - BigInt(receipt.blockNumber) >= BigInt(confirmations);
}
