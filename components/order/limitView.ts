import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { cents, centsRounded, contractsRounded } from '#lib/format/money.ts';
import { dateTime } from '#lib/format/time.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import { isResting } from '#lib/market/restingOrder.ts';
import { parseMicros } from '#lib/money.ts';
import { orderFigures } from './orderFigures.ts';

/** A limit order as lists and receipts show it. */
export type LimitView = {
  action: 'buy' | 'sell';
  ticker: string;
  side: 'yes' | 'no';
  priceMicros: bigint;
  /** As ordered or amended: filled and remaining. */
  sizeContractMicros: bigint;
  filledContractMicros: bigint;
  remainingContractMicros: bigint;
  /** Per contract before the fee. */
  averageMicros: bigint | undefined;
  aheadContractMicros: bigint | undefined;
  isResting: boolean;
  /** It was asked to end, and the exchange has not confirmed that yet. */
  isEnding: boolean;
};

/** Undefined for any other kind of order. */
export function limitView(order: OrderRecord): LimitView | undefined {
  const { action, limitPrice, remainingBaseQuantity, filledBaseQuantity, queueAhead } = order;
  if (action.orderType !== 'LimitOrder' || action.order.baseToken.type !== 'venue') {
    return undefined;
  }
  const { marketId: ticker, side } = action.order.baseToken.data;
  const filled = parseMicros(filledBaseQuantity ?? '0');
  const remaining = parseMicros(remainingBaseQuantity ?? '0');
  const rests = isResting(order);
  return {
    action: action.order.orderType === 'BUY' ? 'buy' : 'sell',
    ticker,
    side,
    priceMicros: parseMicros(limitPrice ?? action.order.limitPrice),
    sizeContractMicros: order.isComplete
      ? parseMicros(action.order.baseQuantity)
      : filled + remaining,
    filledContractMicros: filled,
    remainingContractMicros: remaining,
    averageMicros: orderFigures(order).averageMicros,
    aheadContractMicros: queueAhead === null ? undefined : parseMicros(queueAhead),
    isResting: rests,
    isEnding: rests && order.endReason !== null,
  };
}

/** "12 of 40". */
export function filledOf({ filledContractMicros, sizeContractMicros }: LimitView): string {
  return `${contractsRounded(filledContractMicros)} of ${contractsRounded(sizeContractMicros)}`;
}

/** "Partly filled: 12 of 40 Yes at 41.8¢"; undefined before the first fill and after the end. */
export function partWords(view: LimitView): string | undefined {
  const { isResting: rests, averageMicros, side } = view;
  if (!rests || averageMicros === undefined) return undefined;
  return `Partly filled: ${filledOf(view)} ${sideWord(side)} at ${centsRounded(averageMicros)}`;
}

/** "Resting at 42¢", or what became of it since. */
export function restWords(view: LimitView): string | undefined {
  if (!view.isResting) return undefined;
  if (view.isEnding) return 'Cancelling';
  if (view.filledContractMicros > 0n) return `${filledOf(view)} filled`;
  return `Resting at ${cents(view.priceMicros)}`;
}

/** "Good till cancelled", or until when it rests. */
export function untilWords({ timeInForce, restsUntil }: OrderRecord): string {
  if (timeInForce === 'GTD' && restsUntil !== null) return `Until ${dateTime(restsUntil)}`;
  if (timeInForce === 'IOC') return 'Immediate or cancel';
  return timeInForce === 'FOK' ? 'Fill or kill' : 'Till cancelled';
}
