import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MICROS, parseMicros } from '#lib/money.ts';
import type { BookLevel, FeeRule, OrderBook } from '../venue/port.ts';
import { quoteFromBook } from './quote.ts';

const fee: FeeRule = { kind: 'quadratic', takerRateMicros: 70_000n, multiplierMicros: MICROS };
const level = (price: string, contracts: string): BookLevel => ({
  priceMicros: parseMicros(price),
  contractMicros: parseMicros(contracts),
});
const book: OrderBook = {
  ticker: 'GAME-DAL',
  yesBids: [level('0.80', '16529.55'), level('0.79', '33328.87'), level('0.78', '45938.68')],
  noBids: [level('0.19', '375864.43'), level('0.18', '2630402.87'), level('0.17', '2897298.68')],
};

describe('quoteFromBook', () => {
  test('walks the levels with the fee of each', () => {
    const quote = quoteFromBook({
      book,
      fee,
      action: 'sell',
      side: 'yes',
      contractMicros: parseMicros('20000'),
    });
    // 16,529.55 at 0.80 and 3,470.45 at 0.79; fees 185.13096 and 40.30233585, rounded up to 1e-4.
    expect(quote).toMatchObject({
      fillable: true,
      contractMicros: parseMicros('20000'),
      feeUsdcMicros: parseMicros('185.1310') + parseMicros('40.3024'),
      costUsdcMicros: parseMicros('15965.2955') - parseMicros('225.4334'),
      bestPriceMicros: 800_000n,
      worstPriceMicros: 790_000n,
    });
  });

  test('says what is there when the book is too thin', () => {
    const thin = { ticker: 'THIN', yesBids: [], noBids: [level('0.40', '3')] };
    const input = { book: thin, fee, side: 'yes', contractMicros: parseMicros('10') } as const;
    expect(quoteFromBook({ ...input, action: 'buy' })).toMatchObject({
      fillable: false,
      contractMicros: parseMicros('3'),
      worstPriceMicros: 600_000n,
    });
    expect(quoteFromBook({ ...input, action: 'sell' })).toMatchObject({
      fillable: false,
      contractMicros: 0n,
      costUsdcMicros: 0n,
      worstPriceMicros: undefined,
    });
  });

  test('refuses a market whose fees are unknown', () => {
    expect(() =>
      quoteFromBook({
        book,
        fee: { kind: 'unknown', feeType: 'novel' },
        action: 'buy',
        side: 'yes',
        contractMicros: MICROS,
      }),
    ).toThrow('fee_unknown');
  });

  test('buying NO is the same as buying YES on the mirrored book', () => {
    const levels = fc
      .uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 8 })
      .map((cents) =>
        cents
          .sort((a, b) => b - a)
          .map((cent) => ({ priceMicros: BigInt(cent) * 10_000n, contractMicros: 5_000_000n })),
      );
    fc.assert(
      fc.property(levels, levels, fc.bigInt({ min: 1n, max: 6_000n }), (yesBids, noBids, steps) => {
        const contractMicros = steps * 10_000n;
        const mirrored = { ticker: 'M', yesBids: noBids, noBids: yesBids };
        const one = { fee, action: 'buy', contractMicros } as const;
        expect(
          quoteFromBook({ ...one, book: { ticker: 'M', yesBids, noBids }, side: 'no' }),
        ).toEqual(quoteFromBook({ ...one, book: mirrored, side: 'yes' }));
      }),
    );
  });
});
