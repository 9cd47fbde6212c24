import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costMicros, MICROS, minMicros, parseMicros } from '#lib/money.ts';
import type { BookLevel, FeeRule, OrderBook } from '#server/exchange/port.ts';
import { takerFeeMicros } from './feeCharge.ts';
import { createLadder, quoteFromBook } from './quote.ts';

const fee: FeeRule = { kind: 'quadratic', takerRateMicros: 70_000n, multiplierMicros: MICROS };
const level = (price: string, contracts: string): BookLevel => ({
  priceMicros: parseMicros(price),
  contractMicros: parseMicros(contracts),
});
const book: OrderBook = {
  ticker: 'GAME-DAL',
  yesBids: [level('0.80', '16529.55'), level('0.79', '33328.87'), level('0.78', '45938.68')],
  noBids: [level('0.19', '375864.43'), level('0.18', '2630402.87'), level('0.17', '2897298.68')],
};

describe('quoteFromBook', () => {
  test('walks the levels and charges the fee of each', () => {
    const quote = quoteFromBook({
      book,
      fee,
      action: 'sell',
      side: 'yes',
      contractMicros: parseMicros('20000'),
    });
    // 16,529.55 at 0.80 and 3,470.45 at 0.79; fees 185.13096 and 40.30233585, rounded up to 1e-4.
    expect(quote).toMatchObject({
      fillable: true,
      contractMicros: parseMicros('20000'),
      feeUsdcMicros: parseMicros('185.1310') + parseMicros('40.3024'),
      costUsdcMicros: parseMicros('15965.2955') - parseMicros('225.4334'),
      bestPriceMicros: 800_000n,
      worstPriceMicros: 790_000n,
    });
  });

  test('reports the available contracts when the book is too thin', () => {
    const thin = { ticker: 'THIN', yesBids: [], noBids: [level('0.40', '3')] };
    const input = { book: thin, fee, side: 'yes', contractMicros: parseMicros('10') } as const;
    expect(quoteFromBook({ ...input, action: 'buy' })).toMatchObject({
      fillable: false,
      contractMicros: parseMicros('3'),
      worstPriceMicros: 600_000n,
    });
    expect(quoteFromBook({ ...input, action: 'sell' })).toMatchObject({
      fillable: false,
      contractMicros: 0n,
      costUsdcMicros: 0n,
      worstPriceMicros: undefined,
    });
  });

  test('refuses a market whose fees are unknown', () => {
    expect(() =>
      quoteFromBook({
        book,
        fee: { kind: 'unknown', feeType: 'novel' },
        action: 'buy',
        side: 'yes',
        contractMicros: MICROS,
      }),
    ).toThrow('fee_unknown');
  });

  test('given the mirrored book, buying No equals buying Yes', () => {
    const levels = fc
      .uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 8 })
      .map((cents) =>
        cents
          .sort((a, b) => b - a)
          .map((cent) => ({ priceMicros: BigInt(cent) * 10_000n, contractMicros: 5_000_000n })),
      );
    fc.assert(
      fc.property(levels, levels, fc.bigInt({ min: 1n, max: 6_000n }), (yesBids, noBids, steps) => {
        const contractMicros = steps * 10_000n;
        const mirrored = { ticker: 'M', yesBids: noBids, noBids: yesBids };
        const one = { fee, action: 'buy', contractMicros } as const;
        expect(
          quoteFromBook({ ...one, book: { ticker: 'M', yesBids, noBids }, side: 'no' }),
        ).toEqual(quoteFromBook({ ...one, book: mirrored, side: 'yes' }));
      }),
    );
  });
});

const trades = fc.record({
  action: fc.constantFrom('buy', 'sell'),
  side: fc.constantFrom('yes', 'no'),
});
const bids = fc
  .uniqueArray(fc.record({ cents: fc.integer({ min: 1, max: 99 }), held: fc.nat(900) }), {
    maxLength: 9,
    selector: (one) => one.cents,
  })
  .map((found) =>
    found
      .sort((a, b) => b.cents - a.cents)
      .map(({ cents, held }) => ({
        priceMicros: BigInt(cents) * 10_000n,
        contractMicros: BigInt(held) * 10_000n,
      })),
  );

/** Walks level by level, without cached sums. */
function walk(levels: readonly BookLevel[], action: 'buy' | 'sell', asked: bigint) {
  let left = asked;
  let value = 0n;
  let charged = 0n;
  const prices: bigint[] = [];
  for (const { priceMicros: bid, contractMicros } of levels) {
    const price = action === 'buy' ? MICROS - bid : bid;
    const taken = minMicros(left, contractMicros);
    if (taken === 0n) continue;
    value += costMicros(taken, price, action === 'buy' ? 'up' : 'down');
    charged += takerFeeMicros(fee, action, taken, price) ?? 0n;
    left -= taken;
    prices.push(price);
  }
  return {
    fillable: left === 0n,
    contractMicros: asked - left,
    costUsdcMicros: action === 'buy' ? value + charged : value - charged,
    feeUsdcMicros: charged,
    bestPriceMicros: prices[0],
    worstPriceMicros: prices.at(-1),
  };
}

test('given many quotes, a ladder returns the same results as separate walks', () => {
  const steps = fc.array(fc.bigInt({ min: 0n, max: 9_000n }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(bids, bids, trades, steps, (yesBids, noBids, { action, side }, asked) => {
      const ladder = createLadder({ book: { ticker: 'M', yesBids, noBids }, fee, action, side });
      const levels = (action === 'buy') === (side === 'yes') ? noBids : yesBids;
      for (const step of asked) {
        const contractMicros = step * 10_000n;
        expect(ladder.quote(contractMicros)).toEqual(walk(levels, action, contractMicros));
      }
    }),
  );
});
