import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PositionFlow } from './positionCost.ts';
import { profitOverTime, valueOverTime } from './valueOverTime.ts';

const at = (ms: number) => new Date(ms);
const times = [0, 10, 20, 30, 40].map(at);

const trade =
  (kind: 'buy' | 'sell') =>
  (contracts: bigint, quoteUsdcMicros: bigint): PositionFlow => ({
    kind,
    contractMicros: contracts * 1_000_000n,
    quoteUsdcMicros,
  });
const buy = trade('buy');
const sell = trade('sell');

test('is unrealised at the price of each time, and realised by selling', () => {
  const flows = [
    { flow: buy(10n, 5_100_000n), at: at(5) },
    { flow: sell(4n, 2_400_000n), at: at(25) },
  ];
  const worthEachMicros = [null, 500_000n, 600_000n, 600_000n, 0n];
  expect(profitOverTime(times, [{ flows, worthEachMicros }])).toEqual([
    0n,
    -100_000n,
    900_000n,
    // 2.40 for a cost of 2.04, and six contracts that cost 3.06 and are worth 3.60.
    900_000n,
    360_000n - 3_060_000n,
  ]);
});

test('is unchanged by tokens that only come and go, and by positions without a price', () => {
  const plain = (kind: 'in' | 'out'): PositionFlow => ({ kind, contractMicros: 3_000_000n });
  const flows = [
    { flow: plain('in'), at: at(5) },
    { flow: buy(2n, 1_000_000n), at: at(10) },
    { flow: plain('out'), at: at(20) },
  ];
  const worthEachMicros = [null, 500_000n, 700_000n, null, 450_000n];
  expect(profitOverTime(times, [{ flows, worthEachMicros }])).toEqual([
    0n,
    0n,
    400_000n,
    0n,
    -100_000n,
  ]);
});

test('given deposits and withdrawals around a trade, changes by what was traded, to the micro-unit', () => {
  const worthEachMicros = [null, 411_523n, 411_523n, 411_524n, 411_524n];
  const held = [0n, 3n, 3n, 3n, 3n].map((contracts) => contracts * 1_000_000n);
  const cash = {
    since: at(0),
    openingMicros: 5_000_001n,
    changes: [
      { at: at(5), micros: -1_234_567n },
      { at: at(15), micros: 100_000_000n },
      { at: at(35), micros: -99_999_999n },
    ],
  };
  const values = valueOverTime(times, cash, [{ contractMicros: held, worthEachMicros }]);
  expect(
    values.map(({ cashMicros, positionsMicros }) => (cashMicros ?? 0n) + positionsMicros),
  ).toEqual([5_000_001n, 5_000_003n, 105_000_003n, 105_000_006n, 5_000_007n]);
  const flows = [{ flow: buy(3n, 1_234_567n), at: at(5) }];
  expect(profitOverTime(times, [{ flows, worthEachMicros }])).toEqual([0n, 2n, 2n, 5n, 5n]);
});

test('given several positions, is the sum of each alone', () => {
  const position = fc.record({
    flows: fc
      .array(
        fc.record({
          at: fc.integer({ min: 0, max: 50 }).map(at),
          flow: fc.oneof(
            fc.record({
              kind: fc.constantFrom('buy' as const, 'sell' as const),
              contractMicros: fc.bigInt({ min: 1n, max: 10n ** 9n }),
              quoteUsdcMicros: fc.bigInt({ min: 0n, max: 10n ** 9n }),
            }),
            fc.record({
              kind: fc.constantFrom('in' as const, 'out' as const),
              contractMicros: fc.bigInt({ min: 1n, max: 10n ** 9n }),
            }),
          ),
        }),
      )
      .map((flows) => flows.toSorted((a, b) => a.at.getTime() - b.at.getTime())),
    worthEachMicros: fc.array(fc.option(fc.bigInt({ min: 0n, max: 1_000_000n })), {
      minLength: times.length,
      maxLength: times.length,
    }),
  });
  fc.assert(
    fc.property(fc.array(position, { maxLength: 4 }), (positions) => {
      const alone = positions.map((one) => profitOverTime(times, [one]));
      const sums = times.map((_, index) =>
        alone.reduce((sum, profits) => sum + (profits[index] ?? 0n), 0n),
      );
      expect(profitOverTime(times, positions)).toEqual(sums);
    }),
  );
});
