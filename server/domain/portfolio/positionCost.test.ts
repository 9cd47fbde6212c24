import fc from 'fast-check';
import { expect, test } from 'vitest';
import { minMicros } from '#lib/money.ts';
import {
  closedCost,
  NOTHING_HELD,
  type PositionFlow,
  positionAfter,
  yesShareOfMerge,
} from './positionCost.ts';

const contractMicros = fc.bigInt({ min: 1n, max: 10n ** 12n });
const quoteUsdcMicros = fc.bigInt({ min: 0n, max: 10n ** 12n });
const trade: fc.Arbitrary<PositionFlow> = fc.record({
  kind: fc.constantFrom('buy' as const, 'sell' as const),
  contractMicros,
  quoteUsdcMicros,
});
const transfer: fc.Arbitrary<PositionFlow> = fc.record({
  kind: fc.constantFrom('in' as const, 'out' as const),
  contractMicros,
});

test('a sale takes its share of the average cost and realises the rest', () => {
  expect(
    positionAfter([
      { kind: 'buy', contractMicros: 10_000_000n, quoteUsdcMicros: 5_000_000n },
      { kind: 'buy', contractMicros: 10_000_000n, quoteUsdcMicros: 7_000_000n },
      { kind: 'sell', contractMicros: 5_000_000n, quoteUsdcMicros: 4_000_000n },
    ]),
  ).toEqual({
    contractMicros: 15_000_000n,
    costUsdcMicros: 9_000_000n,
    foreignContractMicros: 0n,
    realisedUsdcMicros: 1_000_000n,
  });
});

test('a transfer takes its tokens’ cost along and realises nothing', () => {
  expect(
    positionAfter([
      { kind: 'buy', contractMicros: 10_000_000n, quoteUsdcMicros: 6_000_000n },
      { kind: 'in', contractMicros: 2_000_000n },
      { kind: 'out', contractMicros: 5_000_000n },
    ]),
  ).toEqual({
    contractMicros: 7_000_000n,
    costUsdcMicros: 4_200_000n,
    foreignContractMicros: 0n,
    realisedUsdcMicros: 0n,
  });
});

test('closes a position when everything bought has been traded away', () => {
  const bought: PositionFlow[] = [
    { kind: 'buy', contractMicros: 10_000_000n, quoteUsdcMicros: 5_000_000n },
    { kind: 'sell', contractMicros: 4_000_000n, quoteUsdcMicros: 3_000_000n },
  ];
  const rest = { contractMicros: 6_000_000n, quoteUsdcMicros: 1_500_000n };
  expect(closedCost(bought)).toBeUndefined();
  expect(closedCost([...bought, { kind: 'sell', ...rest }])).toEqual({
    contractMicros: 10_000_000n,
    costUsdcMicros: 5_000_000n,
    proceedsUsdcMicros: 4_500_000n,
  });
  expect(closedCost([...bought, { kind: 'out', contractMicros: 6_000_000n }])).toBeUndefined();
  expect(closedCost([{ kind: 'in', contractMicros: 1n }])).toBeUndefined();
});

test('given uneven partial sales and a redemption, no micro-unit is lost', () => {
  const flows: PositionFlow[] = [
    // 3 contracts for $1.000001, fee included: no whole number of micros each.
    { kind: 'buy', contractMicros: 3_000_000n, quoteUsdcMicros: 1_000_001n },
    { kind: 'sell', contractMicros: 1_000_000n, quoteUsdcMicros: 499_999n },
  ];
  expect(positionAfter(flows)).toMatchObject({
    contractMicros: 2_000_000n,
    costUsdcMicros: 666_667n,
    realisedUsdcMicros: 166_665n,
  });
  flows.push({ kind: 'sell', contractMicros: 1_500_000n, quoteUsdcMicros: 700_001n });
  expect(positionAfter(flows)).toMatchObject({
    costUsdcMicros: 166_667n,
    realisedUsdcMicros: 366_666n,
  });
  flows.push({ kind: 'sell', contractMicros: 500_000n, quoteUsdcMicros: 500_000n });
  expect(positionAfter(flows).realisedUsdcMicros).toBe(699_999n);
  expect(closedCost(flows)).toEqual({
    contractMicros: 3_000_000n,
    costUsdcMicros: 1_000_001n,
    proceedsUsdcMicros: 1_700_000n,
  });
});

test('given a sold part and a rest that was transferred away, keeps the sold part’s profit', () => {
  const flows: PositionFlow[] = [
    { kind: 'buy', contractMicros: 10_000_000n, quoteUsdcMicros: 4_000_000n },
    { kind: 'sell', contractMicros: 4_000_000n, quoteUsdcMicros: 2_000_000n },
    { kind: 'out', contractMicros: 6_000_000n },
  ];
  expect(positionAfter(flows).realisedUsdcMicros).toBe(400_000n);
  expect(closedCost(flows)).toBeUndefined();
});

test('sells tokens of unknown cost last, without a known profit', () => {
  expect(
    positionAfter([
      { kind: 'in', contractMicros: 4_000_000n },
      { kind: 'buy', contractMicros: 4_000_000n, quoteUsdcMicros: 1_000_000n },
      { kind: 'sell', contractMicros: 6_000_000n, quoteUsdcMicros: 3_000_000n },
    ]),
  ).toEqual({
    contractMicros: 0n,
    costUsdcMicros: 0n,
    foreignContractMicros: 2_000_000n,
    realisedUsdcMicros: 1_000_000n,
  });
});

test('given no foreign sales, cash paid equals the held cost less the realised profit', () => {
  fc.assert(
    fc.property(fc.array(trade, { maxLength: 30 }), (flows) => {
      let held = 0n;
      const covered = flows.filter((flow) => {
        if (flow.kind === 'sell' && flow.contractMicros > held) return false;
        held += flow.kind === 'buy' ? flow.contractMicros : -flow.contractMicros;
        return true;
      });
      const position = positionAfter(covered);
      const paid = covered.reduce((sum, flow) => {
        if (!('quoteUsdcMicros' in flow)) return sum;
        return sum + (flow.kind === 'buy' ? flow.quoteUsdcMicros : -flow.quoteUsdcMicros);
      }, 0n);
      expect(position.costUsdcMicros - position.realisedUsdcMicros).toBe(paid);
      expect(position.contractMicros).toBe(held);
    }),
  );
});

test('given any flows, holdings and costs never turn negative, and an empty holding costs nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(trade, transfer), { maxLength: 40 }), (flows) => {
      const position = positionAfter(flows);
      expect(position.contractMicros).toBeGreaterThanOrEqual(0n);
      expect(position.costUsdcMicros).toBeGreaterThanOrEqual(0n);
      expect(position.foreignContractMicros).toBeGreaterThanOrEqual(0n);
      if (position.contractMicros === 0n) expect(position.costUsdcMicros).toBe(0n);
    }),
  );
});

const held = (contractMicros: bigint, costUsdcMicros: bigint) => ({
  ...NOTHING_HELD,
  contractMicros,
  costUsdcMicros,
});

test('given a merge, the sides share the dollars as they cost', () => {
  const [yes, no] = [held(10_000_000n, 6_000_000n), held(4_000_000n, 800_000n)];
  // 60¢ and 20¢ of 80¢
  expect(yesShareOfMerge(4_000_000n, { yes, no })).toBe(3_000_000n);
  expect(yesShareOfMerge(4_000_000n, { yes: no, no: yes })).toBe(1_000_000n);
});

test('given a merge with one side of unknown cost, the other is closed at its own', () => {
  const known = held(10_000_000n, 6_000_000n);
  expect(yesShareOfMerge(4_000_000n, { yes: known, no: NOTHING_HELD })).toBe(2_400_000n);
  expect(yesShareOfMerge(4_000_000n, { yes: NOTHING_HELD, no: known })).toBe(1_600_000n);
  expect(yesShareOfMerge(4_000_000n, { yes: NOTHING_HELD, no: NOTHING_HELD })).toBe(2_000_000n);
});

test('given a merge of contracts bought here, the profit is a dollar per pair less what they cost', () => {
  fc.assert(
    fc.property(contractMicros, contractMicros, quoteUsdcMicros, quoteUsdcMicros, (a, b, c, d) => {
      const [yes, no] = [held(a, c), held(b, d)];
      const pairs = minMicros(a, b);
      const ofYes = yesShareOfMerge(pairs, { yes, no });
      expect(ofYes).toBeGreaterThanOrEqual(0n);
      expect(ofYes).toBeLessThanOrEqual(pairs);
      const after = (of: typeof yes, quote: bigint) =>
        positionAfter([
          { kind: 'buy', contractMicros: of.contractMicros, quoteUsdcMicros: of.costUsdcMicros },
          { kind: 'sell', contractMicros: pairs, quoteUsdcMicros: quote },
        ]);
      const [left, right] = [after(yes, ofYes), after(no, pairs - ofYes)];
      const realised = left.realisedUsdcMicros + right.realisedUsdcMicros;
      expect(realised).toBe(pairs - (c - left.costUsdcMicros) - (d - right.costUsdcMicros));
    }),
  );
});
