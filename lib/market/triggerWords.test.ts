import { expect, it } from 'vitest';
import { type TriggerTerms, triggeredWords, triggerWords } from './triggerWords.ts';

const terms: TriggerTerms = {
  side: 'yes',
  source: 'bid',
  direction: 'below',
  priceMicros: 400_000n,
};

it.each([
  ['a bid that falls', {}, 'Yes bid at 40¢ or lower'],
  [
    'an ask that rises',
    { side: 'no', source: 'ask', direction: 'above' },
    'No ask at 40¢ or higher',
  ],
  [
    'a last price between cents',
    { source: 'last', priceMicros: 405_000n },
    'Yes last price at 40.5¢ or lower',
  ],
] as const)('given %s, says what is waited for', (_, part, words) => {
  expect(triggerWords({ ...terms, ...part })).toBe(words);
});

it('given the price that was seen, says which way it went', () => {
  expect(triggeredWords(terms, 390_000n)).toBe('Yes bid fell to 39¢');
  expect(triggeredWords({ ...terms, direction: 'above' }, 410_000n)).toBe('Yes bid rose to 41¢');
});
