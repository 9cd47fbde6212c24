import { refundLeg } from '#server/orders/chainLegs.ts';
import { asTradeOrder, type TradeOrder } from '#server/orders/chainOrder.ts';
import { readFacts, type VaultEvent } from '#server/orders/facts.ts';
import type { TerminationReason } from '#server/orders/terminationReasons.ts';
import { endFailed, type Transition } from '#server/orders/transition.ts';
import { PARK_FOR_CHAIN_MS, type Step } from './step.ts';

/** Sends the locked input back, however often it takes. */
export const refundStep: Step = async (deps, row) => {
  const order = asTradeOrder(row);
  const facts = await readFacts(deps.database, row);
  const refunded = facts.event('refunded');
  if (refunded) return refundedTransition(order, refunded);
  const operation = facts.operation('refund');
  if (operation?.state === 'failed') {
    deps.log.error({ intentId: order.id, failure: operation.failure }, 'refund failed on chain');
  }
  const due = operation === undefined || operation.state === 'failed';
  return {
    from: 'refund',
    operations: due ? [{ kind: 'refund', attempt: (operation?.attempt ?? 0) + 1, args: {} }] : [],
    next: { kind: 'park', delayMs: PARK_FOR_CHAIN_MS },
  };
};

function refundedTransition(order: TradeOrder, refunded: VaultEvent): Transition {
  const isBuy = order.tradeAction === 'buy';
  const returned = refunded.returnedMicros ?? 0n;
  const reason = (order.endingReason ?? 'refunded_on_chain') as TerminationReason;
  return endFailed('refund', reason, {
    set: {
      transactionHash: refunded.transactionHash,
      returnedUsdcMicros: isBuy ? returned : 0n,
      returnedContractMicros: isBuy ? 0n : returned,
      filledContractMicros: 0n,
      quoteUsdcMicros: 0n,
      feeUsdcMicros: 0n,
    },
    legs: [refundLeg(order, returned)],
    events: [{ type: 'returned', transactionHash: refunded.transactionHash }],
  });
}
