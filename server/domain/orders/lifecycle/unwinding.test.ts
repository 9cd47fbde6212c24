import { describe, expect, test } from 'vitest';
import type { ExchangeAttempt } from './orderContext.ts';
import { nextUnwinding, tradableMicros, type UnwindRecord, unwindLimit } from './unwinding.ts';

const AT = new Date('2026-11-23T10:00:00Z');
const CENTS = [{ startMicros: 0n, endMicros: 1_000_000n, stepMicros: 10_000n }];

function attempt(
  number: number,
  purpose: ExchangeAttempt['purpose'],
  change: Partial<ExchangeAttempt> = {},
): ExchangeAttempt {
  return {
    clientOrderId: `id-${number}`,
    accountId: '0x1',
    orderId: 'o',
    attempt: number,
    shard: 0,
    purpose,
    limitPriceMicros: 0n,
    contractMicros: 5_000_000n,
    state: 'done',
    code: null,
    exchangeOrderId: `venue-${number}`,
    filledContractMicros: 5_000_000n,
    storedAt: AT,
    respondedAt: AT,
    ...change,
  };
}

function fill(
  number: number,
  contractMicros: bigint,
  priceMicros: bigint,
): UnwindRecord['fills'][0] {
  return {
    fillId: `fill-${number}-${priceMicros}`,
    accountId: '0x1',
    orderId: 'o',
    clientOrderId: `id-${number}`,
    ticker: 'RAIN',
    side: 'yes',
    tradeAction: 'buy',
    contractMicros,
    priceMicros,
    feeMicros: 0n,
    filledAt: AT,
  };
}

describe('nextUnwinding', () => {
  test('given a found fill that is not recorded, records it', () => {
    const found = attempt(1, 'found');
    expect(nextUnwinding({ attempts: [found], fills: [] })).toEqual({
      kind: 'book',
      attempt: found,
    });
  });

  test('given recorded fills, trades all of them back with the next attempt', () => {
    const attempts = [attempt(1, 'order', { state: 'no_fill' }), attempt(2, 'found')];
    const fills = [fill(2, 2_000_000n, 400_000n), fill(2, 3_000_000n, 500_000n)];
    expect(nextUnwinding({ attempts, fills })).toEqual({
      kind: 'trade',
      contractMicros: 5_000_000n,
      attempt: 3,
      averageMicros: 460_000n,
    });
  });

  test('given a part that was traded back, trades back the rest', () => {
    const attempts = [
      attempt(1, 'found'),
      attempt(2, 'unwind', { filledContractMicros: 2_000_000n }),
      attempt(3, 'unwind', { state: 'no_fill', filledContractMicros: null }),
    ];
    const fills = [fill(1, 5_000_000n, 400_000n), fill(2, 2_000_000n, 380_000n)];
    expect(nextUnwinding({ attempts, fills })).toMatchObject({
      kind: 'trade',
      contractMicros: 3_000_000n,
      attempt: 4,
    });
  });

  test.each(['stored', 'unknown'] as const)(
    'given an attempt that is %s, looks it up before anything else',
    (state) => {
      const open = attempt(2, 'unwind', { state, filledContractMicros: null });
      const facts = {
        attempts: [attempt(1, 'found'), open],
        fills: [fill(1, 5_000_000n, 400_000n)],
      };
      expect(nextUnwinding(facts)).toEqual({ kind: 'look_up', attempt: open });
    },
  );

  test('given that everything is traded back, ends; fills for the owner do not count', () => {
    const attempts = [attempt(1, 'order'), attempt(2, 'found'), attempt(3, 'unwind')];
    const fills = [1, 2, 3].map((number) => fill(number, 5_000_000n, 400_000n));
    expect(nextUnwinding({ attempts, fills })).toEqual({ kind: 'end' });
  });
});

describe('unwindLimit', () => {
  const limit = (action: 'buy' | 'sell', averageMicros: bigint) =>
    unwindLimit(
      { priceRanges: CENTS },
      { action, side: 'yes', averageMicros, maxLossMicros: 100_000n },
    );

  test.each([
    ['sell', 465_000n, 370_000n],
    ['sell', 50_000n, 10_000n],
    ['buy', 465_000n, 560_000n],
    ['buy', 950_000n, 990_000n],
  ] as const)('a %s at an average of %s goes to %s at worst', (action, average, worst) => {
    expect(limit(action, average)).toBe(worst);
  });
});

describe('tradableMicros', () => {
  const book = {
    ticker: 'RAIN',
    yesBids: [
      { priceMicros: 450_000n, contractMicros: 1_000_000n },
      { priceMicros: 400_000n, contractMicros: 2_000_000n },
    ],
    noBids: [
      { priceMicros: 530_000n, contractMicros: 4_000_000n },
      { priceMicros: 500_000n, contractMicros: 8_000_000n },
    ],
  };

  test.each([
    ['sell', 'yes', 420_000n, 1_000_000n],
    ['sell', 'no', 500_000n, 12_000_000n],
    ['buy', 'yes', 470_000n, 4_000_000n],
    ['buy', 'no', 600_000n, 3_000_000n],
    ['buy', 'no', 540_000n, 0n],
  ] as const)('a %s of %s at %s meets %s', (action, side, limitMicros, tradable) => {
    expect(tradableMicros(book, { action, side, limitMicros })).toBe(tradable);
  });
});
