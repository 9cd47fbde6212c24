import type { TradeOrder } from '#server/orders/chainOrder.ts';
import type { OrderFacts } from '#server/orders/facts.ts';
import type { Transition } from '#server/orders/transition.ts';
import { PARK_FOR_SIGNER_MS } from './step.ts';

/**
 * The first operation of a delivery, for an order whose facts say that nothing stands against it:
 * it is locked, and nothing of it was handed over or given back. Otherwise undefined: then somebody
 * has to look closer. Should the chain go back meanwhile, this is as if it had been handed over a
 * moment before.
 */
export function beginDelivery(order: TradeOrder, facts: OrderFacts): Transition | undefined {
  const [kind, other] =
    order.tradeAction === 'buy' ? (['attest', 'fill'] as const) : (['fill', 'attest'] as const);
  const isUntouched =
    facts.event('requested') !== undefined &&
    facts.event('filled') === undefined &&
    facts.event('refunded') === undefined &&
    facts.operation(kind) === undefined &&
    facts.operation(other) === undefined &&
    !facts.mayBeForgotten;
  return isUntouched ? submit(kind, 1, 'settling') : undefined;
}

/** Hands an operation of a delivery to the signers, and waits for what comes of it. */
export function submit(
  kind: 'attest' | 'fill',
  attempt: number,
  event: string | undefined,
  notBeforeMs = 0,
): Transition {
  return {
    from: 'settle',
    operations: [{ kind, attempt, args: { notBeforeMs } }],
    events: event ? [{ type: event }] : [],
    next: { kind: 'park', delayMs: PARK_FOR_SIGNER_MS },
  };
}
