import type { OrderRecord } from '../api/schemas/order.ts';
import { parseMicros } from '../money.ts';
import { triggerWords } from './triggerWords.ts';

type Trigger = Pick<NonNullable<OrderRecord['trigger']>, 'price' | 'direction' | 'source'>;

/** "Waits for Yes bid at 40¢ or lower", of a stop order of this side. */
export function waitWords({ price, direction, source }: Trigger, side: 'yes' | 'no'): string {
  const terms = { side, source, direction, priceMicros: parseMicros(price) };
  return `Waits for ${triggerWords(terms)}`;
}
