import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMicros, MICROS } from '#lib/money.ts';
import { readAmount } from './amountInput.ts';
import { typedMicros } from './decimalInput.ts';
import { PLAIN_ENGLISH } from './locale.ts';

const EN = PLAIN_ENGLISH;
const DE = { ...PLAIN_ENGLISH, decimal: ',', group: '.' };

describe('readAmount', () => {
  it.each([
    ['50', 50_000_000n],
    ['$50', 50_000_000n],
    ['$ 50', 50_000_000n],
    ['50$', 50_000_000n],
    ['US$50', 50_000_000n],
    ['50 USDC', 50_000_000n],
    ['USD 50', 50_000_000n],
    [' $1 000.50 ', 1_000_500_000n],
    ['1,000', 1_000_000_000n],
    ['$1,234.50', 1_234_500_000n],
    ['1k', 1_000_000_000n],
    ['1K', 1_000_000_000n],
    ['1.5k', 1_500_000_000n],
    ['$1.5 k', 1_500_000_000n],
    ['2m', 2_000_000_000_000n],
    ['.5', 500_000n],
  ])('reads %j', (text, micros) => {
    expect(readAmount(text, EN)).toEqual({ kind: 'number', micros });
  });

  it('reads a share of what there is', () => {
    expect(readAmount('50 %', EN)).toEqual({ kind: 'share', shareMicros: 500_000n });
    expect(readAmount('100%', EN)).toEqual({ kind: 'share', shareMicros: MICROS });
    expect(readAmount('101%', EN)).toEqual({ kind: 'invalid' });
  });

  it.each(['k', '$', '%', '1kk', '-1', '1e3', '1 000 %%', 'abc', '1.2.3', '$-5', '1,0000'])(
    'refuses %j',
    (text) => {
      expect(readAmount(text, EN)).toEqual({ kind: 'invalid' });
    },
  );

  it('given more than any amount, refuses it', () => {
    expect(readAmount('9223372036855m', EN)).toEqual({ kind: 'invalid' });
  });

  it('reads every amount the way it is shown, with and without its currency, in each locale', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 15n });
    fc.assert(
      fc.property(amount, fc.constantFrom(EN, DE), (micros, locale) => {
        const shown = typedMicros(micros, locale);
        for (const text of [shown, `$${shown}`, `${shown} USDC`, ` ${shown} `]) {
          expect(readAmount(text, locale)).toEqual({ kind: 'number', micros });
        }
      }),
    );
  });

  it('reads k as a thousand times the number before it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), (micros) => {
        const read = readAmount(`${formatMicros(micros)}k`, EN);
        expect(read).toEqual({ kind: 'number', micros: micros * 1_000n });
      }),
    );
  });
});
