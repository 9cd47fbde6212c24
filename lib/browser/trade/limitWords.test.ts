import { expect, test } from 'vitest';
import { outlookWords } from './limitWords.ts';

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
