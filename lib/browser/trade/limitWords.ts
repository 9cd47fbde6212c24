import type { TimeInForce } from '#lib/api/schemas/limitOrder.ts';
import { contractsOf } from '#lib/format/contractsOf.ts';
import { cents, contractsRounded, contractsWhole } from '#lib/format/money.ts';
import type { LimitOutlook } from '#lib/market/limitOutlook.ts';
import { type TriggerTerms, triggerWords } from '#lib/market/triggerWords.ts';

export const TIME_IN_FORCE_WORDS: Record<TimeInForce, string> = {
  GTC: 'Good till cancelled',
  GTD: 'Good till date',
  IOC: 'Immediate or cancel',
  FOK: 'Fill or kill',
};

/** What a stop order does: "Waits for Yes bid at 40¢ or lower, then sells at 35¢ or more." */
export function stopWords(
  action: 'buy' | 'sell',
  { terms, isReached }: { terms: TriggerTerms; isReached: boolean },
  { limitMicros, isMarket }: { limitMicros: bigint; isMarket: boolean },
): string {
  const best = isMarket ? 'at the best price, ' : '';
  const limit = cents(limitMicros);
  const then =
    action === 'sell' ? `sells ${best}at ${limit} or more` : `buys ${best}at ${limit} or less`;
  return isReached
    ? `The trigger price is already reached: the order ${then} as soon as it is placed.`
    : `Waits for ${triggerWords(terms)}, then ${then}.`;
}

type Terms = {
  priceMicros: bigint;
  contractMicros: bigint;
  timeInForce: TimeInForce;
  isPostOnly: boolean;
};

/** What the order would do now: fill, rest or neither. */
export function outlookWords(terms: Terms, outlook: LimitOutlook): string {
  const { priceMicros, contractMicros, timeInForce, isPostOnly } = terms;
  const { fillsContractMicros, fillsFromMicros, aheadContractMicros } = outlook;
  const isWhole = fillsContractMicros >= contractMicros;
  const from = fillsFromMicros === undefined ? '' : ` from ${cents(fillsFromMicros)}`;
  if (fillsContractMicros > 0n) {
    if (isPostOnly) return 'Post-only: this price matches now, so the order would end unfilled.';
    if (isWhole) return `Fills now${from}.`;
    if (timeInForce === 'FOK') {
      return `Only ${contractsOf(fillsContractMicros)} at this price: nothing would be filled.`;
    }
    const part = `Fills up to ${contractsRounded(fillsContractMicros)} now${from}`;
    return timeInForce === 'IOC'
      ? `${part}; the rest is cancelled.`
      : `${part}; the rest rests at ${cents(priceMicros)}.`;
  }
  if (timeInForce === 'IOC' || timeInForce === 'FOK') {
    return 'No match at this price right now: nothing would be filled.';
  }
  const ahead =
    aheadContractMicros === 0n
      ? 'first in line'
      : `${contractsWhole(aheadContractMicros)} contracts ahead`;
  return `Your order rests at ${cents(priceMicros)} · ${ahead}`;
}
