import { describe, expect, it } from 'vitest';
import { type Limits, simulate } from './simulate.ts';

const PLENTY: Limits = {
  exchangeWriteTokens: 1e6,
  exchangeReadTokens: 1e6,
  blockSeconds: 2,
  blockGas: 1e12,
  operatorKeys: 100,
  attestorKeys: 100,
  cpuSecondsOfOrder: 1e-6,
  cores: 100,
};

describe('the limiting resource', () => {
  it('given a low exchange tier, is the exchange', () => {
    const { ordersPerSecond, binding } = simulate({ ...PLENTY, exchangeWriteTokens: 100 });
    expect(binding).toBe('exchange writes');
    expect(ordersPerSecond).toBeGreaterThan(9);
    expect(ordersPerSecond).toBeLessThanOrEqual(10.2);
  });

  it('given one key with one transaction in flight, is the key', () => {
    const { ordersPerSecond, binding } = simulate({ ...PLENTY, operatorKeys: 1 });
    expect(binding).toBe('operator keys');
    // Every order takes a place in a request and one in a fill, of twenty each.
    expect(ordersPerSecond).toBeLessThanOrEqual(20 / 2 / 2 + 0.1);
    expect(ordersPerSecond).toBeGreaterThan(1.5);
  });

  it('given a small share of the block, is its gas', () => {
    const { ordersPerSecond, binding } = simulate({ ...PLENTY, blockGas: 2_100_000 });
    expect(binding).toBe('block gas');
    expect(ordersPerSecond).toBeLessThanOrEqual(10.5);
  });

  it('alone determines the throughput', () => {
    const base = { ...PLENTY, exchangeReadTokens: 400 };
    const once = simulate(base).ordersPerSecond;
    expect(simulate({ ...base, exchangeReadTokens: 800 }).ordersPerSecond / once).toBeCloseTo(2, 1);
    expect(simulate({ ...base, operatorKeys: 200 }).ordersPerSecond).toBeCloseTo(once, 1);
  });
});
