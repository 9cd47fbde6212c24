import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MICROS, minMicros } from '#lib/money.ts';
import type { BookLevel, FeeRule, OrderBook } from '#server/exchange/port.ts';
import { tradeAmounts } from '../../orders/create/tradeAmounts.ts';
import { termsForAmount } from './amountTerms.ts';
import { takerFeeMicros } from './feeCharge.ts';

const RANGES = [{ startMicros: 0n, endMicros: MICROS, stepMicros: 10_000n }];
const quadratic: FeeRule = {
  kind: 'quadratic',
  takerRateMicros: 70_000n,
  multiplierMicros: MICROS,
};
const waived: FeeRule = { kind: 'waived' };

/** Offers of Yes: a bid of No at a dollar minus the price. */
const offers = (...levels: [cents: number, contracts: number][]): OrderBook => ({
  ticker: 'RAIN',
  yesBids: [],
  noBids: levels.map(([cents, contracts]) => ({
    priceMicros: MICROS - BigInt(cents) * 10_000n,
    contractMicros: BigInt(contracts) * MICROS,
  })),
});

const amount = (dollars: number, leastContracts: number) => ({
  ranges: RANGES,
  side: 'yes' as const,
  contractMicros: BigInt(leastContracts) * MICROS,
  quoteLimitUsdcMicros: BigInt(dollars) * MICROS,
});

describe('termsForAmount', () => {
  test.each([
    ['a deep best level, the whole amount is spent there', [[50, 1_000]], 25, 40, 50_000_000n, 50],
    [
      'a thin best level, it reaches for the next',
      [
        [40, 1],
        [50, 1_000],
      ],
      25,
      40,
      50_000_000n,
      50,
    ],
    [
      'an expensive next level, it stays at the best',
      [
        [40, 60],
        [60, 1_000],
      ],
      25,
      40,
      62_500_000n,
      40,
    ],
  ] as const)('given %s', (_, levels, dollars, least, contractMicros, cents) => {
    const book = offers(...levels.map(([at, size]): [number, number] => [at, size]));
    expect(termsForAmount({ ...amount(dollars, least), fee: waived, book })).toEqual({
      contractMicros,
      limitPriceMicros: BigInt(cents) * 10_000n,
    });
  });

  test('given only offers beyond the worst accepted price, it sends nothing', () => {
    const book = offers([63, 1_000]);
    expect(termsForAmount({ ...amount(25, 40), fee: waived, book })).toBeUndefined();
    expect(termsForAmount({ ...amount(25, 40), fee: waived, book: offers() })).toBeUndefined();
  });

  test('given an unknown fee, it sends nothing', () => {
    const fee: FeeRule = { kind: 'unknown', feeType: 'new' };
    expect(termsForAmount({ ...amount(25, 40), fee, book: offers([50, 10]) })).toBeUndefined();
  });
});

const level = fc.record({
  priceMicros: fc.bigInt({ min: 1n, max: 99n }).map((cents) => cents * 10_000n),
  contractMicros: fc.bigInt({ min: 1n, max: 100_000n }).map((steps) => steps * 10_000n),
});
const bids = fc
  .array(level, { maxLength: 6 })
  .map((levels) => levels.toSorted((a, b) => Number(b.priceMicros - a.priceMicros)));

test('given any book at the fill, an amount is never exceeded and every micro-unit is accounted for', () => {
  let spent = 0;
  fc.assert(
    fc.property(
      bids,
      bids,
      fc.constantFrom(quadratic, waived),
      fc.bigInt({ min: 10_000n, max: 10n ** 10n }),
      fc.bigInt({ min: 1n, max: 100n }),
      (shown, actual, fee, quoteLimitUsdcMicros, worstCents) => {
        const contractMicros = ((quoteLimitUsdcMicros * 100n) / worstCents / 10_000n) * 10_000n;
        if (contractMicros === 0n) return;
        const order = { contractMicros, quoteLimitUsdcMicros };
        const book = { ticker: 'RAIN', yesBids: [], noBids: shown };
        const terms = termsForAmount({ ...order, ranges: RANGES, side: 'yes', fee, book });
        if (!terms) return;
        const fills = match(actual, terms, fee);
        const amounts = tradeAmounts({ ...order, tradeAction: 'buy' }, fills);
        const { quoteUsdcMicros, returnedUsdcMicros, exchangeUsdcMicros } = amounts;
        expect(quoteUsdcMicros <= quoteLimitUsdcMicros).toBe(true);
        expect(quoteUsdcMicros + returnedUsdcMicros).toBe(quoteLimitUsdcMicros);
        // The house bears the rounding of fees alone, never a worse price.
        expect(exchangeUsdcMicros - quoteUsdcMicros <= 300n * BigInt(fills.length)).toBe(true);
        if (quoteUsdcMicros > 0n) spent += 1;
      },
    ),
    { numRuns: 1_000 },
  );
  expect(spent).toBeGreaterThan(50);
});

test('given a book that is deep enough at one price, the amount is spent to less than a step of contracts', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 99n }),
      fc.constantFrom(quadratic, waived),
      fc.bigInt({ min: 1_000_000n, max: 10n ** 10n }),
      (cents, fee, quoteLimitUsdcMicros) => {
        const noBids = [{ priceMicros: cents * 10_000n, contractMicros: 10n ** 15n }];
        const order = { contractMicros: 1_000_000n, quoteLimitUsdcMicros: quoteLimitUsdcMicros };
        const book = { ticker: 'RAIN', yesBids: [], noBids };
        const input = { ...order, ranges: RANGES, side: 'yes' as const, fee, book };
        const terms = termsForAmount({ ...input, contractMicros: 10_000n });
        if (!terms) throw new Error('a book with an offer was not used');
        const fills = match(noBids, terms, fee);
        const { quoteUsdcMicros } = tradeAmounts(
          { ...order, contractMicros: 10_000n, tradeAction: 'buy' },
          fills,
        );
        expect(quoteLimitUsdcMicros - quoteUsdcMicros).toBeLessThan(11_000n);
      },
    ),
  );
});

function match(
  noBids: readonly BookLevel[],
  { contractMicros, limitPriceMicros }: { contractMicros: bigint; limitPriceMicros: bigint },
  fee: FeeRule,
) {
  let left = contractMicros;
  return noBids.flatMap((one) => {
    const priceMicros = MICROS - one.priceMicros;
    const taken = minMicros(one.contractMicros, left);
    if (priceMicros > limitPriceMicros || taken === 0n) return [];
    left -= taken;
    const feeMicros = takerFeeMicros(fee, 'buy', taken, priceMicros) ?? 0n;
    return [{ contractMicros: taken, priceMicros, feeMicros }];
  });
}
