import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatMicros } from '#lib/money.ts';
import { plainDecimal, typedMicros } from './decimalInput.ts';
import { ENGLISH, localeOf } from './localeOf.ts';

const german = localeOf('de-DE,de;q=0.9');
const french = localeOf('fr');
const egyptian = localeOf('ar-EG');

it.each([
  ['1,234', ENGLISH, '1234'],
  ['1,234.5', ENGLISH, '1234.5'],
  ['12,34', ENGLISH, '12.34'],
  ['1,5', ENGLISH, '1.5'],
  ['1.234', ENGLISH, '1.234'],
  ['1.234', german, '1234'],
  ['1.234,5', german, '1234.5'],
  ['1,234', german, '1.234'],
  ['1.5', german, '1.5'],
  ['1 234,5', french, '1234.5'],
  ['.5', ENGLISH, '0.5'],
  ['3.', ENGLISH, '3'],
  ['1,234,56', ENGLISH, '1,234,56'],
  ['1,0000', ENGLISH, '1,0000'],
  ['1.0000', german, '1.0000'],
  ['0,001', ENGLISH, '0.001'],
  ['0.001', german, '0.001'],
  ['1 000', ENGLISH, '1000'],
  ['1 234 567.5', ENGLISH, '1234567.5'],
  ['1 0', ENGLISH, '1 0'],
  ['1.234.567', ENGLISH, '1.234.567'],
  ['1e3', ENGLISH, '1e3'],
  ['.', ENGLISH, '.'],
  ['٣٫٥', egyptian, '3.5'],
  ['٣٫٥', german, '3.5'],
  ['١٬٢٣٤٫٥', egyptian, '1234.5'],
  ['۱۲٫۰۶', ENGLISH, '12.06'],
  ['٣.٥', ENGLISH, '3.5'],
])('reads %j in its locale as %j', (text, locale, plain) => {
  expect(plainDecimal(text, locale)).toBe(plain);
});

it('reads back its own output in every notation', () => {
  const amounts = fc.bigInt(0n, 10n ** 15n);
  const locales = fc.constantFrom(ENGLISH, german, french, localeOf('de-CH'), localeOf('sv'));
  fc.assert(
    fc.property(amounts, locales, (micros, locale) => {
      // A fraction of three digits after at most three looks like thousands elsewhere, not here.
      expect(plainDecimal(typedMicros(micros, locale), locale)).toBe(formatMicros(micros));
    }),
  );
});
