import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MICROS } from '#lib/money.ts';
import { COMPARISON_HEIGHT, COMPARISON_WIDTH, comparisonChart } from './comparisonChart.ts';

const at = (atMs: number, percent: number) => ({ atMs, chanceMicros: BigInt(percent) * 10_000n });
const SPAN = { fromMs: 0, toMs: 100 };

test('given two lines, both use one range of whole steps', () => {
  const chart = comparisonChart([[at(0, 20), at(50, 30)], [at(0, 60)]], SPAN);
  expect(chart.paths).toEqual(['M0 200H300V150H600', 'M0 0H600']);
  expect(chart.ticks.map(({ chanceMicros }) => chanceMicros)).toEqual([
    200_000n,
    300_000n,
    400_000n,
    500_000n,
    600_000n,
  ]);
});

test('given a level line, it is not stretched to the whole height', () => {
  const { ticks } = comparisonChart([[at(0, 50)]], SPAN);
  expect(ticks.at(0)?.chanceMicros).toBe(400_000n);
  expect(ticks.at(-1)?.chanceMicros).toBe(600_000n);
});

test('given a market without prices, it has no line', () => {
  expect(comparisonChart([[], [at(10, 1)]], SPAN).paths[0]).toBeUndefined();
});

test('given any chances, lines and grid stay within the drawing', () => {
  const points = fc.array(
    fc.record({
      atMs: fc.integer({ min: 0, max: 100 }),
      chanceMicros: fc.bigInt({ min: 0n, max: MICROS }),
    }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(fc.array(points, { minLength: 1, maxLength: 4 }), (lines) => {
      const { paths, ticks } = comparisonChart(lines, SPAN);
      for (const path of paths) {
        for (const [, command, number] of path?.matchAll(/([HV])([\d.-]+)/g) ?? []) {
          const most = command === 'H' ? COMPARISON_WIDTH : COMPARISON_HEIGHT;
          expect(Number(number)).toBeGreaterThanOrEqual(0);
          expect(Number(number)).toBeLessThanOrEqual(most);
        }
      }
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.every(({ y }) => y >= 0 && y <= COMPARISON_HEIGHT)).toBe(true);
    }),
  );
});
