import { describe, expect, it } from 'vitest';
import { groupSizes, ladderOf, type OwnRest, ownAt, restIn } from './ladder.ts';

const book = {
  yesBids: [
    { priceDollars: '0.4230', contracts: 10 },
    { priceDollars: '0.4210', contracts: 5 },
    { priceDollars: '0.4100', contracts: 1.5 },
  ],
  yesAsks: [
    { priceDollars: '0.4310', contracts: 2 },
    { priceDollars: '0.4400', contracts: 8 },
  ],
};
const short = (levels: { priceMicros: bigint; contractMicros: bigint }[]) =>
  levels.map(({ priceMicros, contractMicros }) => [Number(priceMicros), Number(contractMicros)]);

describe('ladderOf', () => {
  it('given the finest group, shows each level with totals from the best price outwards', () => {
    const { bids } = ladderOf(book, 'yes', 1_000n);
    expect(bids.map(({ totalContractMicros }) => totalContractMicros)).toEqual([
      10_000_000n,
      15_000_000n,
      16_500_000n,
    ]);
    expect(bids[1]?.totalUsdcMicros).toBe(4_230_000n + 2_105_000n);
  });

  it('given groups of a cent, rounds bids down and asks up', () => {
    const { bids, asks } = ladderOf(book, 'yes', 10_000n);
    expect(short(bids)).toEqual([
      [420_000, 15_000_000],
      [410_000, 1_500_000],
    ]);
    expect(short(asks)).toEqual([[440_000, 10_000_000]]);
  });

  it('given the other side, mirrors prices: a bid for Yes is an ask for No', () => {
    const { bids, asks } = ladderOf(book, 'no', 1_000n);
    expect(short(asks)[0]).toEqual([577_000, 10_000_000]);
    expect(short(bids)[0]).toEqual([569_000, 2_000_000]);
  });
});

describe('groupSizes', () => {
  it('given several ticks, begins with the finest', () => {
    expect(groupSizes([{ stepMicros: 10_000n }, { stepMicros: 1_000n }])).toEqual([
      1_000n,
      10_000n,
      50_000n,
    ]);
    expect(groupSizes([{ stepMicros: 10_000n }])).toEqual([10_000n, 50_000n]);
  });
});

describe('own orders', () => {
  const rest = (part: Partial<OwnRest>): OwnRest => ({
    id: 'o',
    side: 'yes',
    action: 'buy',
    priceMicros: 423_000n,
    remainingContractMicros: 4_000_000n,
    aheadContractMicros: 6_000_000n,
    ...part,
  });

  it('given an order of either side, places it in both ladders', () => {
    expect(restIn(rest({}), 'yes')).toEqual({ kind: 'bid', priceMicros: 423_000n });
    expect(restIn(rest({}), 'no')).toEqual({ kind: 'ask', priceMicros: 577_000n });
    const sale = rest({ side: 'no', action: 'sell', priceMicros: 600_000n });
    expect(restIn(sale, 'yes')).toEqual({ kind: 'bid', priceMicros: 400_000n });
  });

  it('given several orders in a group, adds their sizes and reports the longest queue', () => {
    const rests = [rest({}), rest({ priceMicros: 421_000n, aheadContractMicros: 9_000_000n })];
    const level = { priceMicros: 420_000n, groupMicros: 10_000n };
    expect(ownAt(rests, 'yes', 'bid', level)).toEqual({
      ownContractMicros: 8_000_000n,
      aheadContractMicros: 9_000_000n,
    });
    expect(ownAt(rests, 'yes', 'ask', level)).toBeUndefined();
    const unknown = [...rests, rest({ aheadContractMicros: undefined })];
    expect(ownAt(unknown, 'yes', 'bid', level)?.aheadContractMicros).toBeUndefined();
  });
});
