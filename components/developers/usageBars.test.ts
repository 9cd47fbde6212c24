import { describe, expect, it } from 'vitest';
import { usageBars, usageWords } from './usageBars.ts';

const day = (requests: number, refused = 0) => ({ day: '2026-11-21', requests, refused });

describe('usageBars', () => {
  it('the busiest day fills the graph and the others are proportional', () => {
    expect(usageBars([day(50), day(200), day(0)]).map(({ height }) => height)).toEqual([
      25, 100, 0,
    ]);
  });

  it('a day with any request is visible and includes its errors', () => {
    const [small, large] = usageBars([day(1, 1), day(100_000, 50_000)]);
    expect(small).toMatchObject({ height: 4, refusedHeight: 4 });
    expect(large).toMatchObject({ height: 100, refusedHeight: 50 });
  });

  it('days without requests have no height', () => {
    expect(usageBars([day(0), day(0)]).map(({ height }) => height)).toEqual([0, 0]);
  });
});

describe('usageWords', () => {
  it('sums requests and errors over all days', () => {
    expect(usageWords([day(1_200, 10), day(40, 2)], String)).toBe(
      '1240 requests in 2 days, 12 errors',
    );
    expect(usageWords([day(1), day(0)], String)).toBe('1 request in 2 days');
    expect(usageWords([day(0)], String)).toBe('0 requests in 1 day');
  });
});
