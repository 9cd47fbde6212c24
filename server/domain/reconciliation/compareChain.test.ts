import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LedgerLine, move } from '../ledger/ledger.ts';
import { compareChain } from './compareChain.ts';
import { excessMicros, persisting } from './difference.ts';
import type { Books, ChainSnapshot } from './readBooks.ts';

const TOKEN = 'token:T:yes' as const;

/** Lines that the life cycles of orders post, and what the chain must then hold. */
const lifeArbitrary = fc.record({
  user: fc.constantFrom('0xA', '0xB'),
  limit: fc.bigInt({ min: 1n, max: 10n ** 9n }),
  contracts: fc.bigInt({ min: 1n, max: 10n ** 9n }),
  ending: fc.constantFrom('open', 'filled', 'refunded'),
});

function linesOf(life: {
  user: string;
  limit: bigint;
  contracts: bigint;
  ending: string;
}): LedgerLine[] {
  const user = `user:${life.user}` as const;
  const quote = life.limit / 2n;
  const lock = move('usdc', user, 'escrow', life.limit);
  if (life.ending === 'open') return lock;
  if (life.ending === 'refunded') return [...lock, ...move('usdc', 'escrow', user, life.limit)];
  return [
    ...lock,
    ...move('usdc', 'escrow', 'house', quote),
    ...move('usdc', 'escrow', user, life.limit - quote),
    ...move(TOKEN, 'treasury', user, life.contracts),
  ];
}

function worldOf(lines: LedgerLine[]): { books: Books; chain: ChainSnapshot } {
  const sums = new Map<string, bigint>();
  for (const { account, asset, amountMicros } of lines) {
    const key = `${account}|${asset}`;
    sums.set(key, (sums.get(key) ?? 0n) + amountMicros);
  }
  const sum = (key: string) => sums.get(key) ?? 0n;
  const supply = sum(`user:0xA|${TOKEN}`) + sum(`user:0xB|${TOKEN}`);
  return {
    books: {
      blockNumber: 1n,
      blockHash: '0x',
      sums: [...sums].map(([key, amountMicros]) => {
        const [account = '', asset = ''] = key.split('|');
        return { account, asset, amountMicros };
      }),
      treasuryUsdcMicros: sum('treasury|usdc'),
      pending: [],
      unbalancedPostings: [],
      unassigned: [],
      followed: ['0xA', '0xB'],
      holdings: [
        { ticker: 'T', side: 'yes', contractMicros: supply, isSettled: false, isTrading: true },
      ],
      inFlight: [],
      inTransitUsdcMicros: 0n,
      orderProblems: [],
      settlementProblems: [],
      baselines: new Map(),
    },
    chain: {
      contractsUsdcMicros: sum('escrow|usdc') + sum('house|usdc'),
      accruedUsdcMicros: sum('house|usdc'),
      usdcOf: new Map([
        ['0xA', sum('user:0xA|usdc')],
        ['0xB', sum('user:0xB|usdc')],
      ]),
      tokensOf: new Map([
        [`0xA|${TOKEN}`, sum(`user:0xA|${TOKEN}`)],
        [`0xB|${TOKEN}`, sum(`user:0xB|${TOKEN}`)],
      ]),
      supplyOf: new Map([[TOKEN, supply]]),
    },
  };
}

describe('compareChain', () => {
  test('given a ledger that matches the chain, finds nothing', () => {
    fc.assert(
      fc.property(fc.array(lifeArbitrary), (lives) => {
        const { books, chain } = worldOf(lives.flatMap(linesOf));
        expect(compareChain(books, chain)).toEqual([]);
      }),
    );
  });

  test('finds one missing micro-unit anywhere, and its amount', () => {
    const places = ['vault', 'accrued', 'account', 'holding', 'supply'] as const;
    fc.assert(
      fc.property(
        fc.array(lifeArbitrary, { minLength: 1 }),
        fc.constantFrom(...places),
        fc.bigInt({ min: -5n, max: 5n }).filter((off) => off !== 0n),
        (lives, place, off) => {
          const filled = { user: '0xA', limit: 4n, contracts: 9n, ending: 'filled' };
          const { books, chain } = worldOf([...lives, filled].flatMap(linesOf));
          const changed: Record<(typeof places)[number], [Partial<ChainSnapshot>, string]> = {
            vault: [{ contractsUsdcMicros: chain.contractsUsdcMicros + off }, 'vault_cash'],
            accrued: [{ accruedUsdcMicros: chain.accruedUsdcMicros + off }, 'vault_earned'],
            account: [
              { usdcOf: new Map(chain.usdcOf).set('0xA', (chain.usdcOf.get('0xA') ?? 0n) + off) },
              'account_usdc',
            ],
            holding: [
              {
                tokensOf: new Map(chain.tokensOf).set(
                  `0xA|${TOKEN}`,
                  (chain.tokensOf.get(`0xA|${TOKEN}`) ?? 0n) + off,
                ),
              },
              'account_tokens',
            ],
            supply: [
              { supplyOf: new Map([[TOKEN, (chain.supplyOf.get(TOKEN) ?? 0n) + off]]) },
              'token_supply',
            ],
          };
          const [change, kind] = changed[place];
          const found = compareChain(books, { ...chain, ...change });
          expect(found.map((one) => [one.kind, excessMicros(one)])).toEqual([[kind, off]]);
          const isOfMarket = place === 'holding' || place === 'supply';
          expect(found[0]?.tickers).toEqual(isOfMarket ? ['T'] : []);
        },
      ),
    );
  });

  test('accounts for transfers in transit between chain and ledger', () => {
    const { books, chain } = worldOf([]);
    const lock = move('usdc', 'user:0xA', 'escrow', 5n);
    const onChain = { ...chain, contractsUsdcMicros: 5n, usdcOf: new Map([['0xA', -5n]]) };
    expect(compareChain({ ...books, pending: lock }, onChain)).toEqual([]);
    expect(compareChain(books, onChain)).toHaveLength(2);
  });

  test('finds more tokens than bought contracts within the ledger', () => {
    const { books, chain } = worldOf(move(TOKEN, 'treasury', 'user:0xA', 5n));
    const holdings = books.holdings.map((one) => ({ ...one, contractMicros: 4n }));
    expect(compareChain({ ...books, holdings }, chain)).toMatchObject([
      { kind: 'token_backing', expectedMicros: 4n, actualMicros: 5n, tickers: ['T'] },
    ]);
  });

  test('given merged pairs, their contracts back no other token', () => {
    const lines = [
      ...move(TOKEN, 'treasury', 'user:0xA', 5n),
      ...move(TOKEN, 'user:0xA', 'netted', 2n),
      ...move(TOKEN, 'treasury', 'user:0xA', 1n),
    ];
    const { books, chain } = worldOf(lines);
    const bought = (contractMicros: bigint) =>
      books.holdings.map((one) => ({ ...one, contractMicros }));
    expect(compareChain({ ...books, holdings: bought(6n) }, chain)).toEqual([]);
    expect(compareChain({ ...books, holdings: bought(5n) }, chain)).toMatchObject([
      { kind: 'token_backing', expectedMicros: 3n, actualMicros: 4n },
    ]);
  });
});

test('ignores a difference that appears only once or changes its amount', () => {
  const seen = (subject: string, actualMicros: bigint) => ({
    kind: 'account_usdc' as const,
    subject,
    expectedMicros: 0n,
    actualMicros,
    tickers: [],
    orderIds: [],
    explanation: '',
  });
  const stays = seen('stays', 3n);
  expect(
    persisting([stays, seen('moves', 2n), seen('new', 1n)], [stays, seen('moves', 5n)]),
  ).toEqual([stays]);
});
