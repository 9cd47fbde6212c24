import fc from 'fast-check';
import { expect, test } from 'vitest';
import { positionAfter } from './positions.ts';

const trade = fc.record({
  tradeAction: fc.constantFrom('buy' as const, 'sell' as const),
  contractMicros: fc.bigInt({ min: 1n, max: 10n ** 12n }),
  quoteUsdcMicros: fc.bigInt({ min: 0n, max: 10n ** 12n }),
});

test('a sale takes its share of the average cost and realises the rest', () => {
  expect(
    positionAfter([
      { tradeAction: 'buy', contractMicros: 10_000_000n, quoteUsdcMicros: 5_000_000n },
      { tradeAction: 'buy', contractMicros: 10_000_000n, quoteUsdcMicros: 7_000_000n },
      { tradeAction: 'sell', contractMicros: 5_000_000n, quoteUsdcMicros: 4_000_000n },
    ]),
  ).toEqual({
    contractMicros: 15_000_000n,
    costUsdcMicros: 9_000_000n,
    realisedUsdcMicros: 1_000_000n,
  });
});

test('cash paid equals the cost still held less what was realised, whatever the trades', () => {
  fc.assert(
    fc.property(fc.array(trade, { maxLength: 30 }), (trades) => {
      const position = positionAfter(trades);
      const paid = trades.reduce(
        (sum, one) =>
          sum + (one.tradeAction === 'buy' ? one.quoteUsdcMicros : -one.quoteUsdcMicros),
        0n,
      );
      return (
        position.costUsdcMicros - position.realisedUsdcMicros === paid &&
        position.contractMicros >= 0n &&
        (position.contractMicros > 0n || position.costUsdcMicros === 0n)
      );
    }),
  );
});
