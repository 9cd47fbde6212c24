import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Account, applyTrade, settlementCash } from './ledger.ts';
import { purseOf, totalCash } from './shards.ts';

const TICKER = 'KXTEST';
const SHARD = 2;

function account(id: string): Account {
  return {
    id,
    purses: new Map([[SHARD, { balanceMicros: 1_000_000_000_000n, lockedMicros: 0n }]]),
    positions: new Map(),
  };
}

const trade = fc.record({
  buyer: fc.integer({ min: 0, max: 3 }),
  seller: fc.integer({ min: 0, max: 3 }),
  cents: fc.integer({ min: 1, max: 9_999 }),
  hundredths: fc.integer({ min: 1, max: 100_000 }),
});

describe('the ledger', () => {
  it('conserves cash: the sum of balances and position values never changes', () => {
    fc.assert(
      fc.property(
        fc.array(trade, { maxLength: 50 }),
        fc.integer({ min: 0, max: 100 }),
        (trades, payoutCents) => {
          const accounts = ['a', 'b', 'c', 'd'].map(account);
          const sum = () => accounts.reduce((total, one) => total + totalCash(one), 0n);
          const before = sum();
          for (const { buyer, seller, cents, hundredths } of trades) {
            const [one, other] = [accounts[buyer], accounts[seller]];
            if (!one || !other || one === other) continue;
            const terms = {
              contractMicros: BigInt(hundredths) * 10_000n,
              priceMicros: BigInt(cents) * 100n,
              at: 0,
            };
            applyTrade(one, purseOf(one, SHARD), TICKER, { side: 'bid', ...terms });
            applyTrade(other, purseOf(other, SHARD), TICKER, { side: 'ask', ...terms });
          }
          const nets = accounts.map((one) => one.positions.get(TICKER)?.netMicros ?? 0n);
          expect(nets.reduce((total, net) => total + net, 0n)).toBe(0n);
          const payout = BigInt(payoutCents) * 10_000n;
          const paid = nets.reduce((total, net) => total + settlementCash(net, payout), 0n);
          expect(sum() + paid).toBe(before);
        },
      ),
    );
  });

  it('treats selling YES while holding none as buying NO at the complement', () => {
    const holder = account('a');
    applyTrade(holder, purseOf(holder, SHARD), TICKER, {
      side: 'ask',
      contractMicros: 10_000_000n,
      priceMicros: 300_000n,
      at: 0,
    });
    expect(purseOf(holder, SHARD).balanceMicros).toBe(1_000_000_000_000n - 7_000_000n);
    expect(holder.positions.get(TICKER)?.netMicros).toBe(-10_000_000n);
    applyTrade(holder, purseOf(holder, SHARD), TICKER, {
      side: 'bid',
      contractMicros: 10_000_000n,
      priceMicros: 300_000n,
      at: 0,
    });
    expect(purseOf(holder, SHARD).balanceMicros).toBe(1_000_000_000_000n);
    expect(holder.positions.get(TICKER)?.exposureMicros).toBe(0n);
  });
});
