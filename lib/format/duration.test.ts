import { describe, expect, it } from 'vitest';
import { duration } from './duration.ts';

describe('duration', () => {
  it.each([
    [-5, '0 s'],
    [45_900, '45 s'],
    [130_000, '2 min 10 s'],
    [3_600_000, '1 h'],
    [7_860_000, '2 h 11 min'],
    [273_600_000, '3 d 4 h'],
    [1_296_000_000, '15 days'],
    [7_776_000_000, '3 months'],
    [62_985_600_000, '24 months'],
    [2_291_328_000_000, '72 years'],
  ])('%d ms is %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});
