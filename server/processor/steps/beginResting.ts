import { clientOrderIdOf } from '#server/domain/orders/lifecycle/attempts.ts';
import type { ExchangeAttempt } from '#server/domain/orders/lifecycle/orderContext.ts';
import { rests, type TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import { type Decided, decided, recordResponse } from './decision.ts';

/**
 * The exchange has accepted the order. What it filled on arrival is recorded as all later fills
 * are; whether it still rests is read there too.
 */
export function beginResting(
  attempt: Pick<ExchangeAttempt, 'clientOrderId' | 'state'>,
  exchangeOrderId?: string,
): Decided {
  return decided({
    from: 'place',
    set: { stage: 'rest' },
    stamp: ['restingSince'],
    events: [{ type: 'resting' }],
    response: recordResponse(attempt, {
      state: 'resting',
      ...(exchangeOrderId !== undefined && { exchangeOrderId }),
    }),
    next: { kind: 'continue' },
  });
}

/**
 * After a restore the exchange has an order that the database had not sent. One whose terms are
 * lost with its request is ended: what it has filled is delivered, and the rest returned.
 * @param shard where it is changed or cancelled from now on
 */
export function adoptResting(
  order: TradeOrder,
  exchangeOrderId: string,
  shard: number | undefined,
): Decided {
  const isKnown = rests(order);
  const { contractMicros, limitPriceMicros, createdAt: storedAt } = order;
  const price = limitPriceMicros ?? 0n;
  return decided({
    from: 'place',
    set: {
      status: 'executing',
      stage: 'rest',
      ...(!isKnown && {
        orderType: 'limit',
        timeInForce: 'GTC',
        restingContractMicros: contractMicros,
        endingReason: 'service_interrupted',
      }),
    },
    // Its price was claimed before the restored moment, or is claimed now.
    stamp: ['restingSince', 'priceClaimedAt'],
    events: [{ type: 'executing' }, { type: 'resting' }],
    attempt: {
      clientOrderId: clientOrderIdOf(order.id, 1),
      attempt: 1,
      ...(shard !== undefined && { shard }),
      limitPriceMicros: price,
      contractMicros: order.restingContractMicros ?? contractMicros,
      state: 'resting',
      code: 'found_after_restore',
      exchangeOrderId,
      storedAt,
    },
    next: { kind: 'continue' },
  });
}
