import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CENT_MICROS, MICROS } from '../money.ts';
import { SPARK_HEIGHT, SPARK_WIDTH, type SparkPrice, sparkOf } from './sparkline.ts';

const traded = (cents: number): SparkPrice => ({
  yesBidMicros: null,
  yesAskMicros: null,
  lastPriceMicros: BigInt(cents) * CENT_MICROS,
});
const day = (cents: number[]) => cents.map(traded);
const pointsOf = (path: string) =>
  [...path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));

describe('sparkOf', () => {
  it('given a rise, draws it from lower left to upper right', () => {
    const spark = sparkOf(day([20, 30, 40, 50]), 60n * CENT_MICROS);
    const points = pointsOf(spark?.path ?? '');
    expect(points[0]).toEqual({ x: 0, y: SPARK_HEIGHT - 2 });
    expect(points.at(-1)).toEqual({ x: SPARK_WIDTH - 2, y: 2 });
    expect(spark?.endY).toBe(2);
  });

  it('given unknown first hours, leaves their space empty', () => {
    const hours = [...Array.from({ length: 20 }, () => undefined), ...day([40, 45, 50, 55])];
    const [first] = pointsOf(sparkOf(hours, 60n * CENT_MICROS)?.path ?? '');
    expect(first?.x).toBeGreaterThan(SPARK_WIDTH * 0.8);
  });

  it('given too few prices or no current one, draws nothing', () => {
    expect(sparkOf(day([40, 41]), 42n * CENT_MICROS)).toBeUndefined();
    expect(sparkOf([undefined, undefined], null)).toBeUndefined();
    expect(sparkOf(day([40, 41, 42, 43, 44]), null)).toBeUndefined();
  });

  it('uses the middle of a narrow book and ignores one-sided books', () => {
    const book = { yesBidMicros: 490_000n, yesAskMicros: 510_000n, lastPriceMicros: 100_000n };
    const level = sparkOf([book, book, book, book], 500_000n);
    expect(new Set(pointsOf(level?.path ?? '').map(({ y }) => y))).toEqual(new Set([10]));
    const oneSided = { yesBidMicros: null, yesAskMicros: 510_000n, lastPriceMicros: null };
    expect(sparkOf([oneSided, oneSided, oneSided, oneSided], 500_000n)).toBeUndefined();
  });

  it('draws a small move small', () => {
    const points = pointsOf(sparkOf(day([50, 50, 51, 51]), 51n * CENT_MICROS)?.path ?? '');
    const ys = points.map(({ y }) => y);
    expect(Math.max(...ys) - Math.min(...ys)).toBeLessThan(SPARK_HEIGHT / 5);
  });

  it('reduces a level stretch to its two ends', () => {
    const spark = sparkOf(day(Array.from({ length: 24 }, () => 50)), 50n * CENT_MICROS);
    expect(spark?.path).toBe(`M0 10L${SPARK_WIDTH - 2} 10`);
  });

  it('given any prices, stays within its size', () => {
    const price = fc.option(fc.bigInt({ min: 0n, max: MICROS }), { nil: null });
    const hour = fc.record({ yesBidMicros: price, yesAskMicros: price, lastPriceMicros: price });
    fc.assert(
      fc.property(
        fc.array(fc.option(hour, { nil: undefined }), { maxLength: 24 }),
        price,
        (hours, now) => {
          const spark = sparkOf(hours, now);
          if (!spark) return;
          const points = pointsOf(spark.path);
          expect(points.length).toBeGreaterThan(0);
          let before = -1;
          for (const { x, y } of points) {
            expect(x).toBeGreaterThan(before);
            before = x;
            expect(x).toBeLessThanOrEqual(SPARK_WIDTH);
            expect(y).toBeGreaterThanOrEqual(0);
            expect(y).toBeLessThanOrEqual(SPARK_HEIGHT);
          }
        },
      ),
    );
  });
});
