import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PriceRange, sideRanges, snapToTick } from '#lib/market/ticks.ts';
import { costMicros, MICROS } from '#lib/money.ts';
import type { FeeRule } from '#server/exchange/port.ts';
import { takerFeeMicros } from './feeCharge.ts';
import { limitPriceFor } from './limitPrice.ts';

const range = (start: bigint, end: bigint, step: bigint): PriceRange => ({
  startMicros: start,
  endMicros: end,
  stepMicros: step,
});
const LINEAR = [range(0n, MICROS, 10_000n)];
const TAPERED = [
  range(0n, 100_000n, 1_000n),
  range(100_000n, 900_000n, 10_000n),
  range(900_000n, MICROS, 1_000n),
];
const quadratic: FeeRule = {
  kind: 'quadratic',
  takerRateMicros: 70_000n,
  multiplierMicros: MICROS,
};

/** The most by which the exchange rounds a fee up. */
/** The fee and the whole amount are each rounded to steps of 100. */
const ROUNDING = 200n;

const input = fc.record({
  ranges: fc.constantFrom(LINEAR, TAPERED),
  fee: fc.constantFrom<FeeRule>(quadratic, { kind: 'waived' }),
  action: fc.constantFrom('buy' as const, 'sell' as const),
  side: fc.constantFrom('yes' as const, 'no' as const),
  contractMicros: fc.bigInt({ min: 1n, max: 10_000_000n }).map((steps) => steps * 10_000n),
  perContractMicros: fc.bigInt({ min: 0n, max: MICROS }),
});

function quoteLimitOf(one: { contractMicros: bigint; perContractMicros: bigint }): bigint {
  return costMicros(one.contractMicros, one.perContractMicros, 'up');
}

describe('limitPriceFor', () => {
  test.each([
    // 10 contracts at 0.60: 6.00 and a fee of 0.168.
    ['buy', '6.168', 600_000n],
    ['buy', '6.167', 590_000n],
    ['buy', '0.01', undefined],
    ['buy', '20', 990_000n],
    // 10 contracts at 0.60 bring 5.832.
    ['sell', '5.832', 600_000n],
    ['sell', '5.833', 610_000n],
    ['sell', '0', 10_000n],
    ['sell', '9.99', undefined],
  ] as const)('%s with a bound of %s', (action, quoteLimit, expected) => {
    const quoteLimitUsdcMicros = BigInt(Math.round(Number(quoteLimit) * 1e6));
    const price = limitPriceFor({
      ranges: LINEAR,
      fee: quadratic,
      action,
      side: 'yes',
      contractMicros: 10_000_000n,
      quoteLimitUsdcMicros,
    });
    expect(price).toBe(expected);
  });

  test('given the price limit or any better price, keeps the quote limit; one tick worse exceeds it', () => {
    fc.assert(
      fc.property(input, fc.bigInt({ min: 0n, max: MICROS }), (one, better) => {
        const quoteLimitUsdcMicros = quoteLimitOf(one);
        const limit = limitPriceFor({ ...one, quoteLimitUsdcMicros });
        const grid = sideRanges(one.ranges, one.side);
        // Without the exchange's rounding, which only adds to the fee.
        const keeps = (price: bigint) => {
          const fee = takerFeeMicros(one.fee, one.action, one.contractMicros, price) ?? 0n;
          return one.action === 'buy'
            ? costMicros(one.contractMicros, price, 'down') + fee - ROUNDING <= quoteLimitUsdcMicros
            : costMicros(one.contractMicros, price, 'up') - fee + ROUNDING >= quoteLimitUsdcMicros;
        };
        const certainly = (price: bigint) => {
          const fee = takerFeeMicros(one.fee, one.action, one.contractMicros, price) ?? 0n;
          return one.action === 'buy'
            ? costMicros(one.contractMicros, price, 'up') + fee <= quoteLimitUsdcMicros
            : costMicros(one.contractMicros, price, 'down') - fee >= quoteLimitUsdcMicros;
        };
        if (limit === undefined) {
          const best = snapToTick(
            grid,
            one.action === 'buy' ? 1n : MICROS - 1n,
            one.action === 'buy' ? 'up' : 'down',
          );
          return best === undefined || !certainly(best);
        }
        const next =
          one.action === 'buy'
            ? snapToTick(grid, limit + 1n, 'up')
            : snapToTick(grid, limit - 1n, 'down');
        const betterPrice = snapToTick(grid, better, one.action === 'buy' ? 'down' : 'up');
        const isBetter =
          betterPrice !== undefined &&
          (one.action === 'buy' ? betterPrice <= limit : betterPrice >= limit);
        return (
          keeps(limit) &&
          (next === undefined || !certainly(next)) &&
          (!isBetter || keeps(betterPrice))
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('snapToTick', () => {
  test.each([
    [LINEAR, 455_000n, 'down', 450_000n],
    [LINEAR, 455_000n, 'up', 460_000n],
    [LINEAR, 5_000n, 'down', undefined],
    [LINEAR, 5_000n, 'up', 10_000n],
    [LINEAR, 995_000n, 'up', undefined],
    [LINEAR, MICROS, 'down', 990_000n],
    [TAPERED, 95_500n, 'up', 96_000n],
    [TAPERED, 105_500n, 'down', 100_000n],
    [TAPERED, MICROS, 'down', 999_000n],
  ] as const)('case %#', (ranges, price, direction, expected) => {
    expect(snapToTick(ranges, price, direction)).toBe(expected);
  });
});
