import type { OrderRecord } from '../api/schemas/order.ts';
import { parseMicros } from '../money.ts';
import { type TriggerTerms, triggerWords } from './triggerWords.ts';

/** What a stop order waits for, or has waited for; undefined for any other order. */
export function triggerTermsOf({
  action,
  trigger,
}: Pick<OrderRecord, 'action' | 'trigger'>): TriggerTerms | undefined {
  if (trigger === null || action.orderType === 'Withdraw') return undefined;
  const { baseToken } = action.order;
  if (baseToken.type !== 'venue') return undefined;
  const { price, direction, source } = trigger;
  return { side: baseToken.data.side, source, direction, priceMicros: parseMicros(price) };
}

/** "Waits for Yes bid ≤ 40¢". */
export function waitWords(order: Pick<OrderRecord, 'action' | 'trigger'>): string | undefined {
  const terms = triggerTermsOf(order);
  return terms && `Waits for ${triggerWords(terms)}`;
}
