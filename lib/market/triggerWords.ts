import { cents } from '../format/money.ts';
import { sideWord } from './outcomeName.ts';

/** What a price alert or a stop order waits for. */
export type TriggerTerms = {
  side: 'yes' | 'no';
  source: 'bid' | 'ask' | 'last';
  direction: 'above' | 'below';
  priceMicros: bigint;
};

/** Whether the watched price is at or beyond the trigger's. */
export function isReached(
  { direction, priceMicros }: Pick<TriggerTerms, 'direction' | 'priceMicros'>,
  watchedMicros: bigint,
): boolean {
  return direction === 'above' ? watchedMicros >= priceMicros : watchedMicros <= priceMicros;
}

const PRICES: Record<TriggerTerms['source'], string> = {
  bid: 'bid',
  ask: 'ask',
  last: 'last price',
};

const priceWord = ({ side, source }: TriggerTerms) => `${sideWord(side)} ${PRICES[source]}`;

/** "Yes bid at 40¢ or lower". */
export function triggerWords(terms: TriggerTerms): string {
  const way = terms.direction === 'above' ? 'higher' : 'lower';
  return `${priceWord(terms)} at ${cents(terms.priceMicros)} or ${way}`;
}

/** "Yes bid fell to 39¢", at the price that was seen. */
export function triggeredWords(terms: TriggerTerms, seenPriceMicros: bigint): string {
  const verb = terms.direction === 'above' ? 'rose' : 'fell';
  return `${priceWord(terms)} ${verb} to ${cents(seenPriceMicros)}`;
}
