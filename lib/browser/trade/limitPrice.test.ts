import { describe, expect, it } from 'vitest';
import { nearestTick, parsePrice, stepPrice, typedPrice } from './limitPrice.ts';

const cents = [{ startMicros: 0n, endMicros: 1_000_000n, stepMicros: 10_000n }];
/** Tenths of a cent below 10¢ and above 90¢, whole cents between. */
const tapered = [
  { startMicros: 0n, endMicros: 100_000n, stepMicros: 1_000n },
  { startMicros: 100_000n, endMicros: 900_000n, stepMicros: 10_000n },
  { startMicros: 900_000n, endMicros: 1_000_000n, stepMicros: 1_000n },
];

describe('parsePrice', () => {
  it.each([
    ['42', 'ok', 420_000n],
    ['42¢', 'ok', 420_000n],
    ['41.5', 'not_a_tick', 415_000n],
    ['', 'empty', 0n],
    ['0', 'invalid', 0n],
    ['100', 'invalid', 0n],
    ['4x', 'invalid', 0n],
    ['1.00001', 'invalid', 0n],
  ] as const)('given "%s", is %s', (text, state, micros) => {
    expect(parsePrice(text, cents)).toEqual({ state, micros });
  });

  it('given a finer grid at the ends, takes its ticks there only', () => {
    expect(parsePrice('4.5', tapered).state).toBe('ok');
    expect(parsePrice('45.5', tapered).state).toBe('not_a_tick');
  });
});

describe('stepPrice', () => {
  it('given a change of the grid, steps by the ticks of each part', () => {
    expect(stepPrice(99_000n, tapered, 'up')).toBe(100_000n);
    expect(stepPrice(100_000n, tapered, 'up')).toBe(110_000n);
    expect(stepPrice(100_000n, tapered, 'down')).toBe(99_000n);
  });

  it('given the end of the grid, stays', () => {
    expect(stepPrice(999_000n, tapered, 'up')).toBe(999_000n);
    expect(stepPrice(1_000n, tapered, 'down')).toBe(1_000n);
  });

  it('given a price between ticks, goes to the next one', () => {
    expect(stepPrice(415_000n, cents, 'up')).toBe(420_000n);
    expect(stepPrice(415_000n, cents, 'down')).toBe(410_000n);
  });
});

it('writes prices as they are read', () => {
  expect(typedPrice(415_000n)).toBe('41.5');
  expect(parsePrice(typedPrice(7_000n), tapered).micros).toBe(7_000n);
  expect(nearestTick(426_000n, cents)).toBe(420_000n);
  expect(nearestTick(500n, cents)).toBe(10_000n);
});
