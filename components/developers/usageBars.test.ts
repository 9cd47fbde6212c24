import { describe, expect, it } from 'vitest';
import { usageBars, usageWords } from './usageBars.ts';

const day = (requests: number, refused = 0) => ({ day: '2026-11-21', requests, refused });

describe('usageBars', () => {
  it('has the busiest day fill the graph, and the others in proportion', () => {
    expect(usageBars([day(50), day(200), day(0)]).map(({ height }) => height)).toEqual([
      25, 100, 0,
    ]);
  });

  it('shows a day with any request, and what was refused as a part of it', () => {
    const [small, large] = usageBars([day(1, 1), day(100_000, 50_000)]);
    expect(small).toMatchObject({ height: 4, refusedHeight: 4 });
    expect(large).toMatchObject({ height: 100, refusedHeight: 50 });
  });

  it('is flat where nothing was asked', () => {
    expect(usageBars([day(0), day(0)]).map(({ height }) => height)).toEqual([0, 0]);
  });
});

describe('usageWords', () => {
  it('adds the days up', () => {
    expect(usageWords([day(1_200, 10), day(40, 2)], String)).toBe(
      '1240 requests in 2 days, 12 errors',
    );
    expect(usageWords([day(1), day(0)], String)).toBe('1 request in 2 days');
    expect(usageWords([day(0)], String)).toBe('0 requests in 1 day');
  });
});
