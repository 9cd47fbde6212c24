import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deliveryTotals, readDeliveryArgs, writeDeliveryArgs } from './deliveryTotals.ts';
import type { Fill } from './tradeAmounts.ts';

const NOTHING = { contractMicros: 0n, quoteUsdcMicros: 0n };
const CONTRACT = 1_000_000n;

const buy = {
  tradeAction: 'buy',
  contractMicros: 10n * CONTRACT,
  quoteLimitUsdcMicros: 5_700_000n,
} as const;

const fill = (contracts: bigint, priceMicros: bigint, feeMicros = 0n): Fill => ({
  contractMicros: contracts,
  priceMicros,
  feeMicros,
});

describe('deliveryTotals', () => {
  test('given the first fills, their cost with the fee is charged', () => {
    expect(deliveryTotals(buy, [fill(4n * CONTRACT, 550_000n, 20_000n)], NOTHING)).toEqual({
      filledTotalMicros: 4n * CONTRACT,
      quoteTotalMicros: 2_220_000n,
      feeTotalMicros: 20_000n,
    });
  });

  test('given a cheap first part, a dear second one is charged a cent beyond its share at most', () => {
    const fills = [fill(CONTRACT, 100_000n), fill(CONTRACT, 560_000n, 100_000n)];
    const delivered = { contractMicros: CONTRACT, quoteUsdcMicros: 100_000n };
    expect(deliveryTotals(buy, fills, delivered).quoteTotalMicros).toBe(
      100_000n + 570_000n + 10_000n,
    );
  });

  test('given a sale whose new part brings nothing after fees, the total does not fall', () => {
    const sell = { ...buy, tradeAction: 'sell', quoteLimitUsdcMicros: 0n } as const;
    const fills = [fill(CONTRACT, 500_000n), fill(10_000n, 10_000n, 200n)];
    const delivered = { contractMicros: CONTRACT, quoteUsdcMicros: 500_000n };
    expect(deliveryTotals(sell, fills, delivered).quoteTotalMicros).toBe(500_000n);
  });

  test('given more than the order wanted, it refuses', () => {
    expect(() => deliveryTotals(buy, [fill(11n * CONTRACT, 500_000n)], NOTHING)).toThrow(
      /more than requested/,
    );
  });

  test('given a thousand fills of 0.01, each delivered alone, the limit holds', () => {
    const step = 10_000n;
    const terms = { ...buy, quoteLimitUsdcMicros: 5_680_000n };
    const fills: Fill[] = [];
    let delivered = NOTHING;
    for (let n = 0; n < 1_000; n += 1) {
      // The exchange rounds each fee up to its finest step.
      fills.push(fill(step, 550_000n, 200n));
      const totals = deliveryTotals(terms, fills, delivered);
      requireAccepted(terms, delivered, totals);
      delivered = {
        contractMicros: totals.filledTotalMicros,
        quoteUsdcMicros: totals.quoteTotalMicros,
      };
    }
    expect(delivered.contractMicros).toBe(10n * CONTRACT);
    expect(delivered.quoteUsdcMicros).toBeLessThanOrEqual(5_680_000n);
  });

  test('given fills in any order and parts, every delivery is one that the vault accepts', () => {
    const step = 10_000n;
    const some = fc.array(
      fc.record({
        steps: fc.bigInt({ min: 1n, max: 40n }),
        priceMicros: fc.bigInt({ min: 1n, max: 55n }).map((cents) => cents * 10_000n),
        feeMicros: fc.bigInt({ min: 0n, max: 900n }),
        isDelivered: fc.boolean(),
      }),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(some, fc.boolean(), (parts, isBuy) => {
        const order = {
          tradeAction: isBuy ? 'buy' : 'sell',
          contractMicros: parts.reduce((sum, part) => sum + part.steps * step, 0n),
          quoteLimitUsdcMicros: 0n,
        } as const;
        // A sale's least, and a purchase's most, at the price limit.
        const limit = isBuy ? 560_000n : 1_000n;
        const terms = { ...order, quoteLimitUsdcMicros: (order.contractMicros * limit) / CONTRACT };
        let delivered = NOTHING;
        const fills: Fill[] = [];
        parts.forEach((part, at) => {
          fills.push(fill(part.steps * step, part.priceMicros, part.feeMicros));
          if (!part.isDelivered && at < parts.length - 1) return;
          const totals = deliveryTotals(terms, fills, delivered);
          requireAccepted(terms, delivered, totals);
          delivered = {
            contractMicros: totals.filledTotalMicros,
            quoteUsdcMicros: totals.quoteTotalMicros,
          };
        });
      }),
    );
  });
});

/** The checks of the vault's `_fillBuy` and `_fillSell`. */
function requireAccepted(
  order: { tradeAction: 'buy' | 'sell'; contractMicros: bigint; quoteLimitUsdcMicros: bigint },
  delivered: typeof NOTHING,
  { filledTotalMicros, quoteTotalMicros }: ReturnType<typeof deliveryTotals>,
): void {
  const { contractMicros: quantity, quoteLimitUsdcMicros: limit } = order;
  const filled = filledTotalMicros - delivered.contractMicros;
  const quote = quoteTotalMicros - delivered.quoteUsdcMicros;
  expect(filled).toBeGreaterThan(0n);
  expect(quote).toBeGreaterThanOrEqual(0n);
  if (order.tradeAction === 'buy') {
    expect(quoteTotalMicros * quantity).toBeLessThanOrEqual(limit * filledTotalMicros);
    expect(quote * quantity).toBeLessThanOrEqual(limit * filled + 10_000n * quantity);
    expect(quote).toBeLessThanOrEqual(filled + 50_000n);
  } else {
    expect(quoteTotalMicros * quantity).toBeGreaterThanOrEqual(limit * filledTotalMicros);
    expect((quote + 10_000n) * quantity).toBeGreaterThanOrEqual(limit * filled);
    expect(quote).toBeLessThanOrEqual(filled);
  }
}

test('given the arguments of an operation, they are read back; those of a market order are none', () => {
  const args = {
    filledTotalMicros: 4n,
    quoteTotalMicros: 3n,
    feeTotalMicros: 1n,
    isLast: true,
  };
  expect(readDeliveryArgs({ ...writeDeliveryArgs(args), notBeforeMs: 5 })).toEqual(args);
  expect(readDeliveryArgs({})).toBeUndefined();
});
