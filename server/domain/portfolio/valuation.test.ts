import { describe, expect, it } from 'vitest';
import { worthNowMicros } from '#lib/market/worthNow.ts';
import { stableId } from '../../platform/stableId.ts';
import { averageCostMicros, unrealizedMicros, worthUnmovedMicros } from './valuation.ts';

const cost = { contractMicros: 10_000_000n, costUsdcMicros: 5_600_000n };

describe('the value of a holding', () => {
  it('is compared with its cost, fees included', () => {
    expect(averageCostMicros(cost)).toBe(560_000n);
    expect(unrealizedMicros(10_000_000n, cost, 600_000n)).toBe(400_000n);
    expect(unrealizedMicros(10_000_000n, cost, 500_000n)).toBe(-600_000n);
  });

  it('counts the share of the cost when a part has been moved away', () => {
    expect(unrealizedMicros(2_500_000n, cost, 600_000n)).toBe(100_000n);
  });

  it('is null when the cost or the price is unknown', () => {
    expect(averageCostMicros(undefined)).toBeNull();
    expect(averageCostMicros({ contractMicros: 0n, costUsdcMicros: 0n })).toBeNull();
    expect(unrealizedMicros(10_000_000n, cost, null)).toBeNull();
    expect(unrealizedMicros(10_000_000n, undefined, 600_000n)).toBeNull();
    expect(unrealizedMicros(11_000_000n, cost, 600_000n)).toBeNull();
  });

  it('reaches a total loss when a contract pays nothing', () => {
    expect(unrealizedMicros(10_000_000n, cost, 0n)).toBe(-5_600_000n);
  });
});

it('given the same parts, an id is the same UUID', () => {
  const id = stableId('token', 8453, '0xabc', '1');
  expect(id).toBe(stableId('token', 8453, '0xabc', '1'));
  expect(id).not.toBe(stableId('token', 8453, '0xabc1', ''));
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

describe('the current value of a contract', () => {
  const open = {
    status: 'open',
    payoutYesMicros: null,
    yesBidMicros: 400_000n,
    noBidMicros: 580_000n,
    lastPriceMicros: 410_000n,
  } as const;
  const ended = { ...open, status: 'closed', yesBidMicros: null, noBidMicros: null } as const;

  it('is the bid for its side', () => {
    expect(worthNowMicros(open, 'yes')).toBe(400_000n);
    expect(worthNowMicros(open, 'no')).toBe(580_000n);
  });

  it('is null when an open market has no bid', () => {
    expect(worthNowMicros({ ...open, yesBidMicros: null }, 'yes')).toBeNull();
  });

  it('is the last price between the end of trading and the result', () => {
    expect(worthNowMicros(ended, 'yes')).toBe(410_000n);
    expect(worthNowMicros(ended, 'no')).toBe(590_000n);
    expect(worthNowMicros({ ...ended, lastPriceMicros: null }, 'no')).toBeNull();
  });

  it('equals the current one before the first recorded price, unless a result has replaced it', () => {
    expect(worthUnmovedMicros(open, 'yes')).toBe(400_000n);
    expect(worthUnmovedMicros(ended, 'no')).toBe(590_000n);
    expect(worthUnmovedMicros({ ...ended, payoutYesMicros: 1_000_000n }, 'yes')).toBeNull();
  });

  it('is the payout as soon as there is one', () => {
    const paid = { ...ended, payoutYesMicros: 0n };
    expect(worthNowMicros(paid, 'yes')).toBe(0n);
    expect(worthNowMicros(paid, 'no')).toBe(1_000_000n);
  });
});
