import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAmount, spendableMicros } from './amount.ts';
import { contractsForBudget } from './fetchQuote.ts';

describe('parseAmount', () => {
  it.each([
    ['', 'empty', 0n],
    ['0', 'empty', 0n],
    ['0.', 'empty', 0n],
    ['12', 'ok', 12_000_000n],
    [' 1,5 ', 'ok', 1_500_000n],
    ['.25', 'ok', 250_000n],
    ['3.', 'ok', 3_000_000n],
    ['1.005', 'not_a_step', 1_005_000n],
    ['-1', 'invalid', 0n],
    ['1e3', 'invalid', 0n],
    ['1 000', 'ok', 1_000_000_000n],
    ['1.234.567', 'invalid', 0n],
    ['99999999999999999', 'invalid', 0n],
  ])('reads %j of contracts as %s', (text, state, micros) => {
    expect(parseAmount(text, 'contracts')).toEqual({ state, micros });
  });

  it('accepts any fraction of a dollar from one cent up', () => {
    expect(parseAmount('1.005', 'dollars')).toEqual({ state: 'ok', micros: 1_005_000n });
    expect(parseAmount('0.009', 'dollars').state).toBe('too_small');
  });
});

it('never plans to spend more than the budget', () => {
  const budget = fc.bigInt(0n, 10n ** 12n);
  const price = fc.bigInt(1n, 1_100_000n);
  fc.assert(
    fc.property(budget, price, (budgetMicros, priceMicros) => {
      const contracts = contractsForBudget(budgetMicros, priceMicros);
      expect(contracts % 10_000n).toBe(0n);
      expect(contracts * priceMicros <= budgetMicros * 1_000_000n).toBe(true);
    }),
  );
});

it('spends all of the cash, to the cent', () => {
  expect(spendableMicros(98_039_999n)).toBe(98_030_000n);
  expect(spendableMicros(0n)).toBe(0n);
});

it('reads a share of the cash or the holding, on its grid', () => {
  expect(parseAmount('50%', 'dollars', 25_010_000n)).toEqual({ state: 'ok', micros: 12_500_000n });
  expect(parseAmount('33%', 'contracts', 1_000_000n)).toEqual({ state: 'ok', micros: 330_000n });
  expect(parseAmount('50%', 'dollars')).toEqual({ state: 'empty', micros: 0n });
});
