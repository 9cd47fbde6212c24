import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costMicros, MICROS } from '#lib/money.ts';
import {
  amountsAt,
  type Change,
  type PositionOverTime,
  timesBetween,
  valueOverTime,
} from './valueOverTime.ts';

const at = (ms: number) => new Date(ms);
const moment = fc.integer({ min: 1, max: 4_000_000_000_000 }).map(at);
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.integer({ min: 0, max: 1_000 }).map(at),
  micros: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
});
const times = fc
  .uniqueArray(fc.integer({ min: 0, max: 1_200 }), { minLength: 1, maxLength: 50 })
  .map((list) => list.toSorted((a, b) => a - b).map(at));

/** Holdings at the given times, each with or without a price. */
function positionsDuring(count: number): fc.Arbitrary<PositionOverTime[]> {
  const exactly = { minLength: count, maxLength: count };
  return fc.array(
    fc.record({
      contractMicros: fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), exactly),
      worthEachMicros: fc.array(fc.option(fc.bigInt({ min: 0n, max: MICROS })), exactly),
    }),
    { maxLength: 6 },
  );
}

describe('timesBetween', () => {
  test('begins and ends as requested, in order, with at most 200 points', () => {
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        const [from, to] = a <= b ? [a, b] : [b, a];
        const list = timesBetween(from, to);
        expect(list.length).toBeLessThanOrEqual(200);
        expect(list.at(-1)).toEqual(to);
        if (from < to) expect(list[0]).toEqual(from);
        for (const [index, time] of list.entries()) {
          if (index > 0) expect(time.getTime()).toBeGreaterThan(list[index - 1]?.getTime() ?? 0);
        }
      }),
    );
  });

  test('takes the finest round step that fits', () => {
    const day = timesBetween(at(0), at(86_400_000));
    expect(day[1]?.getTime()).toBe(600_000);
    expect(timesBetween(at(500), at(3_200)).map((time) => time.getTime())).toEqual([
      500, 1_000, 2_000, 3_000, 3_200,
    ]);
  });
});

describe('amountsAt', () => {
  test('given changes in any order, is at each time the sum of those up to it', () => {
    fc.assert(
      fc.property(times, fc.array(change, { maxLength: 40 }), (list, changes) => {
        const expected = list.map((time) =>
          changes.reduce((sum, one) => (one.at <= time ? sum + one.micros : sum), 0n),
        );
        expect(amountsAt(list, changes)).toEqual(expected);
        expect(amountsAt(list, changes.toReversed())).toEqual(expected);
      }),
    );
  });
});

describe('valueOverTime', () => {
  const everything = times.chain((list) =>
    fc.record({
      list: fc.constant(list),
      cash: fc.record({
        since: fc.integer({ min: 0, max: 1_000 }).map(at),
        openingMicros: fc.bigInt({ min: 0n, max: 10n ** 12n }),
        changes: fc.array(change, { maxLength: 20 }),
      }),
      positions: positionsDuring(list.length),
    }),
  );

  test('sums the positions, and counts those without a price', () => {
    fc.assert(
      fc.property(everything, ({ list, cash, positions }) => {
        const whole = valueOverTime(list, cash, positions);
        const parts = positions.map((position) => valueOverTime(list, cash, [position]));
        for (const [index, point] of whole.entries()) {
          const of = parts.map((part) => part[index]);
          const sum = of.reduce((total, one) => total + (one?.positionsMicros ?? 0n), 0n);
          expect(point.positionsMicros).toBe(sum);
          expect(point.unpriced).toBe(of.reduce((total, one) => total + (one?.unpriced ?? 0), 0));
          expect(point.at).toEqual(list[index]);
        }
      }),
    );
  });

  test('ends with the current holdings at current prices', () => {
    fc.assert(
      fc.property(everything, ({ list, cash, positions }) => {
        const last = valueOverTime([...list, at(5_000)], cash, positions.map(unchanged)).at(-1);
        const all = cash.changes.reduce((sum, one) => sum + one.micros, cash.openingMicros);
        expect(last?.cashMicros).toBe(all);
        const worth = positions.map((position) => {
          const held = position.contractMicros.at(-1) ?? 0n;
          const each = position.worthEachMicros.at(-1) ?? null;
          return each === null ? 0n : costMicros(held, each, 'down');
        });
        expect(last?.positionsMicros).toBe(worth.reduce((sum, one) => sum + one, 0n));
      }),
    );
  });

  test('has no cash before the account was first seen, or for an account never seen', () => {
    fc.assert(
      fc.property(everything, ({ list, cash, positions }) => {
        for (const point of valueOverTime(list, cash, positions)) {
          expect(point.cashMicros === null).toBe(point.at < cash.since);
        }
        const unmet = valueOverTime(list, undefined, positions);
        expect(unmet.every((point) => point.cashMicros === null)).toBe(true);
      }),
    );
  });

  test('does not drop while a purchase and a sale are locked, and ends with their proceeds', () => {
    const cash = {
      since: at(0),
      openingMicros: 10_000_000n,
      changes: [
        { at: at(2), micros: -4_000_000n },
        { at: at(3), micros: 100_000n },
      ],
    };
    const worthEachMicros = [500_000n, 500_000n, 500_000n];
    const position = { contractMicros: [6_000_000n, 2_000_000n, 9_800_000n], worthEachMicros };
    const points = valueOverTime([at(1), at(2), at(3)], cash, [position], {
      usdc: [
        { at: at(2), micros: 4_000_000n },
        { at: at(3), micros: -4_000_000n },
      ],
      positions: [{ contractMicros: [0n, 4_000_000n, 0n], worthEachMicros }],
    });
    const sums = points.map((point) => [
      point.cashMicros,
      point.positionsMicros,
      point.inOrdersMicros,
    ]);
    expect(sums).toEqual([
      [10_000_000n, 3_000_000n, 0n],
      [6_000_000n, 1_000_000n, 6_000_000n],
      [6_100_000n, 4_900_000n, 0n],
    ]);
  });

  test('excludes a position without a recorded price', () => {
    const cash = { since: at(0), openingMicros: 5_000_000n, changes: [] };
    const position = {
      contractMicros: [2_000_000n, 2_000_000n, 0n],
      worthEachMicros: [null, 400_000n, null],
    };
    const points = valueOverTime([at(1), at(2), at(3)], cash, [position]);
    expect(points.map(({ positionsMicros, unpriced }) => [positionsMicros, unpriced])).toEqual([
      [0n, 1],
      [800_000n, 0],
      [0n, 0],
    ]);
  });
});

/** The position with its last amount and price repeated. */
function unchanged({ contractMicros, worthEachMicros }: PositionOverTime): PositionOverTime {
  return {
    contractMicros: [...contractMicros, contractMicros.at(-1) ?? 0n],
    worthEachMicros: [...worthEachMicros, worthEachMicros.at(-1) ?? null],
  };
}
