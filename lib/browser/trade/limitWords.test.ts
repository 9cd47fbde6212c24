import { expect, test } from 'vitest';
import { outlookWords, stopWords } from './limitWords.ts';

const terms = {
  priceMicros: 420_000n,
  contractMicros: 40_000_000n,
  timeInForce: 'GTC',
  isPostOnly: false,
} as const;
const rests = {
  fillsContractMicros: 0n,
  fillsFromMicros: undefined,
  aheadContractMicros: 120_000_000n,
};
const crosses = { ...rests, fillsContractMicros: 12_000_000n, fillsFromMicros: 410_000n };

test('given no match, says where the order rests and what is ahead', () => {
  expect(outlookWords(terms, rests)).toBe('Your order rests at 42¢ · 120 contracts ahead');
  expect(outlookWords(terms, { ...rests, aheadContractMicros: 0n })).toBe(
    'Your order rests at 42¢ · first in line',
  );
  expect(outlookWords({ ...terms, timeInForce: 'IOC' }, rests)).toContain('nothing would be');
});

test('given a match of a part, says what becomes of the rest', () => {
  expect(outlookWords(terms, crosses)).toBe('Fills up to 12 now from 41¢; the rest rests at 42¢.');
  expect(outlookWords({ ...terms, timeInForce: 'IOC' }, crosses)).toContain('cancelled');
  expect(outlookWords({ ...terms, timeInForce: 'FOK' }, crosses)).toContain('Only 12 contracts');
  expect(outlookWords({ ...terms, isPostOnly: true }, crosses)).toContain('end unfilled');
});

test('given a match of the whole, says from which price', () => {
  expect(outlookWords({ ...terms, contractMicros: 12_000_000n }, crosses)).toBe(
    'Fills now from 41¢.',
  );
});

test('given a stop order, says what it waits for and what it does then', () => {
  const terms = {
    side: 'yes',
    source: 'bid',
    direction: 'below',
    priceMicros: 350_000n,
  } as const;
  const waiting = { terms, isReached: false };
  const limit = { limitMicros: 300_000n, isMarket: false };
  const words = 'Waits for Yes bid at 35¢ or lower, then sells at 30¢ or more.';
  expect(stopWords('sell', waiting, limit)).toBe(words);
  expect(stopWords('buy', waiting, { ...limit, isMarket: true })).toBe(
    'Waits for Yes bid at 35¢ or lower, then buys at the best price, at 30¢ or less.',
  );
  expect(stopWords('sell', { terms, isReached: true }, limit)).toContain('already reached');
});
