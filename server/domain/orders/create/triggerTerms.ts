import type { AnyOrderRequest } from '#lib/api/schemas/order.ts';
import type { OutcomeSide } from '#server/exchange/port.ts';
import { collectProblems, type ServiceError } from '#server/platform/errors.ts';
import type { TradingMarket } from '../../markets/quotes/tradingMarket.ts';
import type { TriggerDirection, TriggerPriceSource } from '../../triggers/trigger.ts';
import { readDeadline, readTickPrice } from './limitTerms.ts';

/** What a trigger adds to an order; the columns of its row. */
export type TriggerTerms = {
  triggerPriceMicros: bigint;
  triggerDirection: TriggerDirection;
  triggerSource: TriggerPriceSource;
  /** When it stops waiting; a limit order's own end counts from its arrival in the book too. */
  restsUntil: Date;
};

/** The trigger of a well-formed request; undefined without one, or with problems. */
export function parseTriggerTerms(
  { market }: Pick<TradingMarket, 'market'>,
  order: AnyOrderRequest['order'],
  { side, now }: { side: OutcomeSide; now: Date },
): { trigger: TriggerTerms | undefined; problems: ServiceError[] } {
  const { problems, attempt } = collectProblems();
  const { triggerPrice, direction, triggerSource, expiresAt } = order;
  if (triggerPrice === undefined || direction === undefined) {
    return { trigger: undefined, problems };
  }
  const pointer = '/order/triggerPrice';
  const priceMicros = attempt(() => readTickPrice(market, side, triggerPrice, pointer));
  const restsUntil = attempt(() => readDeadline(expiresAt, now));
  if (priceMicros === undefined || restsUntil === undefined)
    return { trigger: undefined, problems };
  const trigger = {
    triggerPriceMicros: priceMicros,
    triggerDirection: direction,
    triggerSource: triggerSource ?? (order.orderType === 'SELL' ? 'bid' : 'ask'),
    restsUntil,
  } as const;
  return { trigger, problems };
}
