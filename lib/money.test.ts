import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  centsNumber,
  costMicros,
  divide,
  formatMicros,
  formatMicrosFixed,
  MAX_MICROS,
  MicrosError,
  parseMicros,
  snap,
  tryParseMicros,
} from './money.ts';

const amount = fc.bigInt({ min: 0n, max: MAX_MICROS });

describe('parseMicros', () => {
  test.each([
    ['0', 0n],
    ['1', 1_000_000n],
    ['0.000001', 1n],
    ['12.5', 12_500_000n],
    ['12.500000000', 12_500_000n],
    ['9223372036854.775807', MAX_MICROS],
  ])('reads %s', (text, micros) => {
    expect(parseMicros(text)).toBe(micros);
  });

  test.each([
    ['', 'not_a_decimal'],
    ['-0', 'not_a_decimal'],
    ['-1', 'not_a_decimal'],
    ['+1', 'not_a_decimal'],
    ['1e999', 'not_a_decimal'],
    ['1e3', 'not_a_decimal'],
    ['0x10', 'not_a_decimal'],
    ['NaN', 'not_a_decimal'],
    ['Infinity', 'not_a_decimal'],
    [' 1', 'not_a_decimal'],
    ['1\n', 'not_a_decimal'],
    ['1,000', 'not_a_decimal'],
    ['01', 'not_a_decimal'],
    ['.5', 'not_a_decimal'],
    ['5.', 'not_a_decimal'],
    ['١٢', 'not_a_decimal'],
    ['１', 'not_a_decimal'],
    ['0.0000001', 'too_many_decimals'],
    ['1.1234567', 'too_many_decimals'],
    ['9223372036854.775808', 'too_large'],
    [`1${'0'.repeat(30)}`, 'too_large'],
  ])('rejects %j as %s', (text, problem) => {
    expect(() => parseMicros(text)).toThrow(MicrosError);
    try {
      parseMicros(text);
    } catch (error) {
      expect((error as MicrosError).problem).toBe(problem);
    }
    expect(tryParseMicros(text)).toBeUndefined();
  });

  test('reads back every output of formatMicros', () => {
    fc.assert(fc.property(amount, (micros) => parseMicros(formatMicros(micros)) === micros));
  });

  test('never throws anything but MicrosError', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const micros = tryParseMicros(text);
        return micros === undefined || (micros >= 0n && micros <= MAX_MICROS);
      }),
    );
  });
});

describe('formatMicros', () => {
  test.each([
    [0n, '0', '0.00'],
    [-250_000n, '-0.25', '-0.25'],
    [1_500_000n, '1.5', '1.50'],
    [1n, '0.000001', '0.000001'],
  ])('writes %s', (micros, short, padded) => {
    expect(formatMicros(micros)).toBe(short);
    expect(formatMicrosFixed(micros, 2)).toBe(padded);
  });
});

describe('divide', () => {
  const numerator = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });
  const denominator = fc.bigInt({ min: 1n, max: 10n ** 12n });

  test('rounding down and up encloses the exact quotient and differs by at most one', () => {
    fc.assert(
      fc.property(numerator, denominator, (n, d) => {
        const down = divide(n, d, 'down');
        const up = divide(n, d, 'up');
        return down * d <= n && up * d >= n && up - down === (n % d === 0n ? 0n : 1n);
      }),
    );
  });

  test('nearest is at most half a unit away', () => {
    fc.assert(
      fc.property(numerator, denominator, (n, d) => {
        const distance = divide(n, d, 'nearest') * d - n;
        return 2n * (distance < 0n ? -distance : distance) <= d;
      }),
    );
  });

  test('rejects a denominator that is not positive', () => {
    expect(() => divide(1n, 0n, 'down')).toThrow(RangeError);
  });
});

describe('costMicros', () => {
  test('rounds in the given direction', () => {
    expect(costMicros(10_000n, 333_333n, 'down')).toBe(3_333n);
    expect(costMicros(10_000n, 333_333n, 'up')).toBe(3_334n);
  });

  test('never loses more than one micro-unit against the exact product', () => {
    fc.assert(
      fc.property(amount, fc.bigInt({ min: 0n, max: 1_000_000n }), (quantity, price) => {
        const spread = costMicros(quantity, price, 'up') - costMicros(quantity, price, 'down');
        return spread === 0n || spread === 1n;
      }),
    );
  });
});

test('snap moves to the grid in the given direction', () => {
  expect(snap(123n, 10n, 'down')).toBe(120n);
  expect(snap(123n, 10n, 'up')).toBe(130n);
  expect(snap(120n, 10n, 'up')).toBe(120n);
});

test('centsNumber rounds once, at the edge', () => {
  expect(centsNumber(455_000n, 'nearest')).toBe(46);
  expect(centsNumber(455_000n, 'down')).toBe(45);
  expect(centsNumber(451_000n, 'up')).toBe(46);
});
