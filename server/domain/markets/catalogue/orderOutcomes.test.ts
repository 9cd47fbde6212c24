import { describe, expect, test } from 'vitest';
import { orderOutcomes } from './orderOutcomes.ts';

const END = new Date('2026-12-01T00:00:00Z');

function outcome(ticker: string, part: Partial<Parameters<typeof orderOutcomes>[0][number]> = {}) {
  return {
    ticker,
    strike: null,
    strikeGroup: null,
    expectedEndAt: END,
    yesBidMicros: null,
    volumeContractMicros: 0n,
    ...part,
  };
}

const tickersOf = (markets: { ticker: string }[]) => markets.map(({ ticker }) => ticker);

describe('the order of an event’s outcomes', () => {
  test('given strikes, the lowest comes first regardless of price', () => {
    const markets = [
      outcome('B', { strike: 50, yesBidMicros: 900_000n }),
      outcome('C', { strike: 60.5, yesBidMicros: 10_000n }),
      outcome('A', { strike: -3, yesBidMicros: 100_000n }),
    ];
    expect(tickersOf(orderOutcomes(markets))).toEqual(['A', 'B', 'C']);
  });

  test('given strikes of several players, each player’s stay together, the most traded first', () => {
    const markets = [
      outcome('WEBB-5', { strike: 4.5, strikeGroup: 'webb', volumeContractMicros: 5n }),
      outcome('SALE-3', { strike: 2.5, strikeGroup: 'sale', volumeContractMicros: 9n }),
      outcome('WEBB-3', { strike: 2.5, strikeGroup: 'webb', volumeContractMicros: 6n }),
    ];
    expect(tickersOf(orderOutcomes(markets))).toEqual(['WEBB-3', 'WEBB-5', 'SALE-3']);
  });

  test('given a date for each, the earliest comes first', () => {
    const markets = [
      outcome('LATE', { expectedEndAt: new Date('2027-06-01'), yesBidMicros: 800_000n }),
      outcome('SOON', { expectedEndAt: new Date('2026-12-31'), yesBidMicros: 100_000n }),
    ];
    expect(tickersOf(orderOutcomes(markets))).toEqual(['SOON', 'LATE']);
  });

  test('given names only, the likeliest comes first and those without bids last', () => {
    const markets = [
      outcome('NONE'),
      outcome('LOW', { yesBidMicros: 1n, strikeGroup: 'low' }),
      outcome('HIGH', { yesBidMicros: 2n, strikeGroup: 'high' }),
    ];
    expect(tickersOf(orderOutcomes(markets))).toEqual(['HIGH', 'LOW', 'NONE']);
  });
});
