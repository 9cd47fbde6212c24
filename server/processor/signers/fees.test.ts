import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { feesToOffer, raiseFees } from './sendTransaction.ts';

const wei = fc.bigInt({ min: 0n, max: 10n ** 13n });
const market = fc.record({ nextBaseFeePerGas: wei, priorityFeePerGas: wei });

describe('feesToOffer', () => {
  test('pays for the next block and never more than the cap', () => {
    fc.assert(
      fc.property(market, wei, (now, cap) => {
        const fees = feesToOffer(now, cap);
        const least = now.nextBaseFeePerGas + now.priorityFeePerGas;
        if (!fees) return least > cap;
        return fees.maxFeePerGas >= least && fees.maxFeePerGas <= cap;
      }),
    );
  });

  test('leaves room for the base fee to double', () => {
    expect(feesToOffer({ nextBaseFeePerGas: 100n, priorityFeePerGas: 7n }, 1_000n)).toEqual({
      maxFeePerGas: 207n,
      maxPriorityFeePerGas: 7n,
    });
  });
});

describe('raiseFees', () => {
  const current = { maxFeePerGas: 1_000n, maxPriorityFeePerGas: 10n };

  test('does not change a transaction that pays for the next block', () => {
    const now = { nextBaseFeePerGas: 990n, priorityFeePerGas: 10n };
    expect(raiseFees(current, now, 10_000n)).toEqual({ kind: 'enough' });
  });

  test.each([
    ['the base fee rose', { nextBaseFeePerGas: 991n, priorityFeePerGas: 10n }],
    ['others pay more on top', { nextBaseFeePerGas: 1n, priorityFeePerGas: 11n }],
  ])('offers more when %s', (_what, now) => {
    expect(raiseFees(current, now, 10_000n)).toMatchObject({ kind: 'raise' });
  });

  test('reports that the cap does not allow the required fee', () => {
    const now = { nextBaseFeePerGas: 1_100n, priorityFeePerGas: 10n };
    expect(raiseFees(current, now, 1_111n)).toEqual({ kind: 'capped' });
    expect(raiseFees(current, now, 1_124n)).toEqual({ kind: 'capped' });
    expect(raiseFees(current, now, 1_125n)).toMatchObject({ kind: 'raise' });
  });

  test('raises both fees by at least an eighth, pays for the block, stays below the cap', () => {
    fc.assert(
      fc.property(wei, wei, market, wei, (max, priority, now, cap) => {
        const raise = raiseFees({ maxFeePerGas: max, maxPriorityFeePerGas: priority }, now, cap);
        if (raise.kind !== 'raise') return true;
        const { fees } = raise;
        return (
          fees.maxFeePerGas * 8n >= max * 9n &&
          fees.maxPriorityFeePerGas * 8n >= priority * 9n &&
          fees.maxFeePerGas >= now.nextBaseFeePerGas + fees.maxPriorityFeePerGas &&
          fees.maxFeePerGas <= cap
        );
      }),
    );
  });
});
