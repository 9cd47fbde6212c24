import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PositionFlow } from './positionCost.ts';
import { profitOverTime } from './valueOverTime.ts';

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
