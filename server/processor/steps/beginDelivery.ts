import type { NewOperation } from '#server/chain/operations/store.ts';
import type { TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import type { OrderContext } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { Transition } from '#server/domain/orders/lifecycle/transition.ts';
import { PARK_FOR_SIGNER_MS } from './step.ts';

/**
 * The delivery of an order whose facts say that nothing stands against it: it is locked, and
 * nothing of it was handed over or given back. Otherwise undefined: then somebody has to look
 * closer. Should the chain go back meanwhile, this is as if it had been handed over a moment before.
 */
export function beginDelivery(order: TradeOrder, facts: OrderContext): Transition | undefined {
  const isUntouched =
    facts.event('requested') !== undefined &&
    facts.event('filled') === undefined &&
    facts.event('refunded') === undefined &&
    facts.operation('attest') === undefined &&
    facts.operation('fill') === undefined &&
    !facts.mayBeForgotten;
  return isUntouched ? submit(deliveryOf(order), 'settling') : undefined;
}

/** A purchase needs its backing attested first; the signers keep its fill back until it is. */
export function deliveryOf(order: TradeOrder): NewOperation[] {
  return order.tradeAction === 'buy' ? [firstOf('attest'), firstOf('fill')] : [firstOf('fill')];
}

function firstOf(kind: 'attest' | 'fill'): NewOperation {
  return { kind, attempt: 1, args: {} };
}

/** Hands operations of a delivery to the signers, and waits for what comes of them. */
export function submit(operations: NewOperation[], event: string | undefined): Transition {
  return {
    from: 'deliver',
    operations,
    events: event ? [{ type: event }] : [],
    next: { kind: 'park', delayMs: PARK_FOR_SIGNER_MS },
  };
}
