import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeNoLater } from './blockTimes.ts';

const at = (seconds: number) => new Date(seconds * 1_000);

test('dates a block with unknown time by the next known one', () => {
  const timeOf = timeNoLater(
    new Map([
      [9n, at(90)],
      [5n, at(50)],
      [7n, at(70)],
    ]),
  );
  expect([4n, 5n, 6n, 8n].map(timeOf)).toEqual([at(50), at(50), at(70), at(90)]);
  expect(timeOf(10n)).toBeNull();
});

test('given any known times, a deposit never follows its payout', () => {
  const moves = fc.array(
    fc.record({ micros: fc.integer({ min: 1, max: 9 }), isKnown: fc.boolean() }),
  );
  fc.assert(
    fc.property(moves, fc.nat(40), (list, look) => {
      const blocks = list.map((one, index) => ({ ...one, blockNumber: BigInt(index) }));
      const known = blocks.filter(({ isKnown }) => isKnown);
      const timeOf = timeNoLater(
        new Map(known.map(({ blockNumber }) => [blockNumber, at(Number(blockNumber))])),
      );
      // What came in with one block leaves with the next.
      let [held, coming] = [0, 0];
      for (const { blockNumber, micros } of blocks) {
        const time = timeOf(blockNumber);
        const isThere = time !== null && time <= at(look);
        const change = blockNumber % 2n === 0n ? micros : -coming;
        coming = blockNumber % 2n === 0n ? micros : 0;
        if (isThere) held += change;
      }
      expect(held).toBeGreaterThanOrEqual(0);
    }),
  );
});
