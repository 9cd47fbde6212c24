import { describe, expect, it } from 'vitest';
import { type FeeSources, resolveFee } from './fees.ts';

const NOW = new Date('2026-11-21T00:00:00Z');
const SOURCES: FeeSources = {
  market: {},
  event: {},
  series: { fee_type: 'quadratic', fee_multiplier: 1 },
  seriesChanges: [],
  eventChanges: [],
};
const quadratic = (multiplierMicros: bigint, takerRateMicros = 70_000n) => ({
  kind: 'quadratic',
  takerRateMicros,
  multiplierMicros,
});

describe('resolveFee', () => {
  it('uses the series by default', () => {
    expect(resolveFee(SOURCES, NOW)).toEqual(quadratic(1_000_000n));
    const half = { ...SOURCES, series: { fee_type: 'flat', fee_multiplier: 0.5 } };
    expect(resolveFee(half, NOW)).toEqual(quadratic(500_000n, 35_000n));
  });

  it('a waiver overrides everything until it ends', () => {
    const event = { fee_type_override: 'quadratic', fee_multiplier_override: 2 };
    const until = (time: string) => ({
      ...SOURCES,
      event,
      market: { fee_waiver_expiration_time: time },
    });
    expect(resolveFee(until('2026-11-22T00:00:00Z'), NOW)).toEqual({ kind: 'waived' });
    expect(resolveFee(until('2026-11-20T00:00:00Z'), NOW)).toEqual(quadratic(2_000_000n));
  });

  it('an event overrides the series, unless its override is cleared', () => {
    const changes = [{ fee_type: 'flat', fee_multiplier: 1, scheduled_ts: '2026-11-20T00:00:00Z' }];
    const override = { fee_type_override: 'quadratic', fee_multiplier_override: 0.5 };
    const cleared = { fee_type_override: null, fee_multiplier_override: null };
    const sources = { ...SOURCES, seriesChanges: changes };
    expect(resolveFee({ ...sources, event: override }, NOW)).toEqual(quadratic(500_000n));
    expect(resolveFee({ ...sources, event: cleared }, NOW)).toEqual(quadratic(1_000_000n, 35_000n));
  });

  it('applies scheduled changes from their effective time', () => {
    const changes = [
      { fee_type: 'quadratic', fee_multiplier: 0.5, scheduled_ts: '2026-11-20T00:00:00Z' },
      { fee_type: 'quadratic', fee_multiplier: 3, scheduled_ts: '2026-11-22T00:00:00Z' },
    ];
    expect(resolveFee({ ...SOURCES, seriesChanges: changes }, NOW)).toEqual(quadratic(500_000n));
  });

  it.each([
    [{ fee_type: 'cubic', fee_multiplier: 1 }, 'cubic'],
    [{}, 'missing'],
    [{ fee_type: 'quadratic', fee_multiplier: 'many' }, 'quadratic'],
  ])('does not guess for %o', (series, feeType) => {
    expect(resolveFee({ ...SOURCES, series }, NOW)).toEqual({ kind: 'unknown', feeType });
  });

  it('treats a multiplier of zero as waived', () => {
    const series = { fee_type: 'quadratic', fee_multiplier: 0 };
    expect(resolveFee({ ...SOURCES, series }, NOW)).toEqual({ kind: 'waived' });
  });
});
