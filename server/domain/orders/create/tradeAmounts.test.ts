import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONTRACT_STEP_MICROS } from '#lib/money.ts';
import { type Fill, tradeAmounts } from './tradeAmounts.ts';

const fill = fc.record({
  contractMicros: fc.bigInt({ min: 1n, max: 10_000n }).map((steps) => steps * CONTRACT_STEP_MICROS),
  priceMicros: fc.bigInt({ min: 1n, max: 9_999n }).map((steps) => steps * 100n),
  feeMicros: fc.bigInt({ min: 0n, max: 2_000_000n }),
});
const fillsOfOrder = fc
  .tuple(fc.array(fill, { maxLength: 6 }), fc.bigInt({ min: 1n, max: 10_000n }))
  .map(([fills, more]) => ({
    fills,
    contractMicros:
      fills.reduce((sum, one) => sum + one.contractMicros, 0n) + more * CONTRACT_STEP_MICROS,
  }));
const limit = fc.bigInt({ min: 1n, max: 10n ** 12n });

describe('buy', () => {
  test('charges what the exchange took and returns the rest', () => {
    const fills: Fill[] = [
      { contractMicros: 6_000_000n, priceMicros: 560_000n, feeMicros: 103_500n },
      { contractMicros: 4_000_000n, priceMicros: 570_000n, feeMicros: 68_700n },
    ];
    const order = {
      tradeAction: 'buy',
      contractMicros: 10_000_000n,
      quoteLimitUsdcMicros: 6_000_000n,
    };
    expect(tradeAmounts({ ...order, tradeAction: 'buy' }, fills)).toEqual({
      filledContractMicros: 10_000_000n,
      quoteUsdcMicros: 5_812_200n,
      feeUsdcMicros: 172_200n,
      exchangeUsdcMicros: 5_812_200n,
      returnedUsdcMicros: 187_800n,
      returnedContractMicros: 0n,
    });
  });

  test('never charges beyond the proportional price limit and accounts for every micro-unit', () => {
    fc.assert(
      fc.property(fillsOfOrder, limit, ({ fills, contractMicros }, quoteLimitUsdcMicros) => {
        const order = { tradeAction: 'buy' as const, contractMicros, quoteLimitUsdcMicros };
        const amounts = tradeAmounts(order, fills);
        return (
          amounts.quoteUsdcMicros * contractMicros <=
            quoteLimitUsdcMicros * amounts.filledContractMicros &&
          amounts.quoteUsdcMicros + amounts.returnedUsdcMicros === quoteLimitUsdcMicros &&
          amounts.feeUsdcMicros >= 0n &&
          amounts.returnedUsdcMicros >= 0n
        );
      }),
    );
  });
});

describe('sell', () => {
  test('pays what the exchange paid, less the fee, and returns unsold contracts', () => {
    const order = {
      tradeAction: 'sell' as const,
      contractMicros: 10_000_000n,
      quoteLimitUsdcMicros: 4_000_000n,
    };
    const fills = [{ contractMicros: 5_000_000n, priceMicros: 500_000n, feeMicros: 87_500n }];
    expect(tradeAmounts(order, fills)).toEqual({
      filledContractMicros: 5_000_000n,
      quoteUsdcMicros: 2_412_500n,
      feeUsdcMicros: 87_500n,
      exchangeUsdcMicros: 2_412_500n,
      returnedUsdcMicros: 0n,
      returnedContractMicros: 5_000_000n,
    });
  });

  test('never pays below the proportional price limit and accounts for every contract', () => {
    fc.assert(
      fc.property(fillsOfOrder, limit, ({ fills, contractMicros }, quoteLimitUsdcMicros) => {
        const order = { tradeAction: 'sell' as const, contractMicros, quoteLimitUsdcMicros };
        const amounts = tradeAmounts(order, fills);
        return (
          amounts.quoteUsdcMicros * contractMicros >=
            quoteLimitUsdcMicros * amounts.filledContractMicros &&
          amounts.filledContractMicros + amounts.returnedContractMicros === contractMicros &&
          amounts.feeUsdcMicros >= 0n
        );
      }),
    );
  });
});

const small = { contractMicros: 10_000n, quoteLimitUsdcMicros: 10_000n };

test('refuses to sell more than the order', () => {
  const fills = [{ contractMicros: 20_000n, priceMicros: 10_000n, feeMicros: 0n }];
  expect(() => tradeAmounts({ ...small, tradeAction: 'sell' }, fills)).toThrow(RangeError);
});

test('given more contracts than the quantity of a purchase, charges no more than its limit', () => {
  const fills = [{ contractMicros: 20_000n, priceMicros: 600_000n, feeMicros: 0n }];
  expect(tradeAmounts({ ...small, tradeAction: 'buy' }, fills)).toMatchObject({
    filledContractMicros: 20_000n,
    quoteUsdcMicros: 10_000n,
    returnedUsdcMicros: 0n,
  });
});
