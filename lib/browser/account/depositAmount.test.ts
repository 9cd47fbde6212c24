import { expect, it } from 'vitest';
import { depositAmount } from './depositAmount.ts';

it('accepts the full wallet balance to the last micro-unit', () => {
  expect(depositAmount('2.000001', 2_000_001n)).toEqual({ micros: 2_000_001n });
});

it.each(['$1,000', '1k', '1000 USDC'])('reads “%s” as a thousand dollars', (text) => {
  expect(depositAmount(text, 1_000_000_000n)).toEqual({ micros: 1_000_000_000n });
});

it.each([
  ['amount_missing', ' '],
  ['amount_missing', '0.00'],
  ['amount_invalid', '-1'],
  ['amount_invalid', '-0'],
  ['amount_invalid', '1e3'],
  ['amount_invalid', '0.0000001'],
  ['amount_invalid', '१२'],
  ['amount_too_large', '2.000002'],
  ['amount_too_large', '999,999,999'],
  ['amount_too_large', '١٢'],
])('says %s of “%s”', (problem, text) => {
  expect(depositAmount(text, 2_000_001n)).toEqual({ problem });
});
