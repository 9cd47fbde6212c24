import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { parseMicros } from '#lib/money.ts';
import type { OwnRest } from './ladder.ts';

type Limited = Pick<
  OrderRecord,
  'action' | 'isComplete' | 'restingSince' | 'limitPrice' | 'remainingBaseQuantity' | 'queueAhead'
> & { id: string };

/** Whether the order is in the exchange's book: it may stay there for weeks. */
export function isResting({
  isComplete,
  restingSince,
}: Pick<Limited, 'isComplete' | 'restingSince'>) {
  return !isComplete && restingSince !== null;
}

type Waiting = Pick<OrderRecord, 'isComplete' | 'trigger' | 'balanceValidatedAt'>;

/** Whether a stop order waits, with locked funds, for its price. */
export function awaitsPrice({ isComplete, trigger, balanceValidatedAt }: Waiting): boolean {
  return (
    !isComplete && trigger !== null && trigger.triggeredAt === null && balanceValidatedAt !== null
  );
}

/** Whether the order may stay as it is for weeks: it rests, or waits for its price. */
export function isParked(order: Waiting & Pick<OrderRecord, 'restingSince'>): boolean {
  return isResting(order) || awaitsPrice(order);
}

/** A resting order as the book shows it; undefined for any other. */
export function ownRestOf(order: Limited): OwnRest | undefined {
  const { action, limitPrice, remainingBaseQuantity, queueAhead } = order;
  if (action.orderType !== 'LimitOrder' || !isResting(order)) return undefined;
  const { baseToken, orderType } = action.order;
  if (baseToken.type !== 'venue' || limitPrice === null) return undefined;
  return {
    id: order.id,
    side: baseToken.data.side,
    action: orderType === 'BUY' ? 'buy' : 'sell',
    priceMicros: parseMicros(limitPrice),
    remainingContractMicros: parseMicros(remainingBaseQuantity ?? '0'),
    aheadContractMicros: queueAhead === null ? undefined : parseMicros(queueAhead),
  };
}
