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
