import { describe, expect, it } from 'vitest';
import {
  cents,
  centsRounded,
  chance,
  contracts,
  contractsRounded,
  contractsShort,
  contractsWhole,
  dollars,
  dollarsDown,
  dollarsExact,
  dollarsSigned,
  estimate,
  percentSigned,
} from './money.ts';

describe('dollars', () => {
  it.each([
    [0n, '$0.00'],
    [1_234_500_000n, '$1,234.50'],
    [4_427_500n, '$4.43'],
    [4_424_999n, '$4.42'],
    [9_999n, '<1¢'],
    [-1n, '−<1¢'],
    [-400_000n, '−$0.40'],
  ])('shows %s as %s', (micros, text) => {
    expect(dollars(micros)).toBe(text);
  });

  it.each([
    [0n, '$0.00'],
    [9_999n, '<1¢'],
    [24_995_000n, '$24.99'],
    [25_000_000n, '$25.00'],
    [1_000_009_999n, '$1,000.00'],
  ])('given %s to spend, never shows more: %s', (micros, text) => {
    expect(dollarsDown(micros)).toBe(text);
  });

  it('given what is signed, shows every digit', () => {
    expect(dollarsExact(1_004_427_501n)).toBe('$1,004.427501');
    expect(dollarsExact(-5_000_000n)).toBe('−$5.00');
  });

  it('given a gain, shows its sign', () => {
    expect(dollarsSigned(1_200_000n)).toBe('+$1.20');
    expect(dollarsSigned(0n)).toBe('$0.00');
  });
});

describe('prices and quantities', () => {
  it('shows cents without padding', () => {
    expect(cents(430_000n)).toBe('43¢');
    expect(cents(435_000n)).toBe('43.5¢');
    expect(centsRounded(442_749n)).toBe('44.3¢');
  });

  it('never shows a live chance as certain', () => {
    expect(chance(4_000n)).toBe('<1%');
    expect(chance(996_000n)).toBe('>99%');
    expect(chance(435_000n)).toBe('44%');
    expect(chance(1_000_000n)).toBe('100%');
    expect(chance(0n)).toBe('0%');
  });

  it('groups and shortens', () => {
    expect(contracts(1_250_500_000n)).toBe('1,250.5');
    expect(contractsWhole(1_250_500_000n)).toBe('1,250');
    expect(contractsWhole(12_500_000n)).toBe('12.5');
    expect(contractsShort(12_345_000_000n)).toBe('12.3k');
    expect(contractsShort(999_499_999n)).toBe('999');
    expect(contractsShort(2_000_000_000_000n)).toBe('2m');
  });

  it('rounds contracts down to what the exchange trades', () => {
    expect(contractsRounded(333_333n)).toBe('0.33');
    expect(contractsRounded(5_000_000n)).toBe('5');
    expect(contractsRounded(9_999n)).toBe('<0.01');
    expect(contractsRounded(0n)).toBe('0');
  });

  it('given a scalar market, shows an expected payout instead of a chance', () => {
    expect(estimate({ isScalar: true }, 435_000n)).toBe('44¢');
    expect(estimate({ isScalar: false }, 435_000n)).toBe('44%');
  });

  it('given a zero base, returns no ratio', () => {
    expect(percentSigned(124_000n, 1_000_000n)).toBe('+12.4%');
    expect(percentSigned(-124_000n, 1_000_000n)).toBe('−12.4%');
    expect(percentSigned(1n, 0n)).toBeUndefined();
  });
});
