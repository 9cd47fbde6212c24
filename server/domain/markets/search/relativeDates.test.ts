import { expect, it } from 'vitest';
import { withDates } from './relativeDates.ts';
import { tickerDate, tickerWords, wordsOf } from './tokenize.ts';

const MONDAY = Date.UTC(2026, 10, 23, 13);

it.each([
  ['rain today', 'rain nov 23'],
  ['rain tomorrow', 'rain nov 24'],
  ['games on friday', 'games on nov 27'],
  ['cpi next month', 'cpi dec 2026'],
  ['cpi last month', 'cpi oct 2026'],
  ['gdp next quarter', 'gdp q1 2027'],
  ['2 constructor titles', '2 constructor titles'],
  ['fed last december', 'fed dec 2025'],
  ['fed next january', 'fed jan 2027'],
  ['cuts next year', 'cuts 2027'],
  ['price at the end of the year', 'price at the end of the year'],
  ['price end of year', 'price end 2026'],
])('given a date in words, %s is %s', (query, dated) => {
  expect(withDates(wordsOf(query), MONDAY, () => false).join(' ')).toBe(dated);
});

it('given a day in a name, keeps it', () => {
  const words = wordsOf('saturday night live sunday');
  expect(withDates(words, MONDAY, (at) => at < 3).join(' ')).toBe('saturday night live nov 29');
});

it.each([
  ['December 2025', 'Dec. 2025'],
  ['$150,000.00', '150k'],
  ['3 trillion', '3T'],
  ['25bps', '25 bps'],
  ['S&P 500', 'sp 500'],
  ['U.S. and U.K.', 'us and uk'],
  ['the 25th', 'the 25'],
  ['two cuts', '2 cuts'],
])('%s and %s are the same words', (one, other) => {
  expect(wordsOf(one)).toEqual(wordsOf(other));
});

it('given a ticker, finds its date and the words of it', () => {
  expect(tickerWords('KXBTCD-26NOV2417')).toEqual(
    expect.arrayContaining(['kxbtcd', 'btcd', '2026', 'nov', '24']),
  );
  expect(tickerDate('KXFEDDECISION-26DEC')).toBe(Date.UTC(2027, 0, 1, 5));
  expect(tickerDate('KXHIGHNY-26NOV24')).toBe(Date.UTC(2026, 10, 25, 5));
  expect(tickerDate('KXFUSION')).toBeUndefined();
});
