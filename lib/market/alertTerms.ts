import type { PriceAlert } from '../api/schemas/priceAlert.ts';
import { parseMicros } from '../money.ts';
import { type TriggerTerms, triggeredWords, triggerWords } from './triggerWords.ts';

function termsOf({ side, source, direction, price }: PriceAlert): TriggerTerms {
  return { side, source, direction, priceMicros: parseMicros(price) };
}

/** "Yes bid at 60¢ or higher" of one that waits, "Yes bid rose to 61¢" of one that has fired. */
export function alertWords(alert: PriceAlert): string {
  const terms = termsOf(alert);
  return alert.triggeredPrice === null
    ? triggerWords(terms)
    : triggeredWords(terms, parseMicros(alert.triggeredPrice));
}
