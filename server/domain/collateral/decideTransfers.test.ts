import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ShardTarget } from '#server/platform/config/exchange.ts';
import {
  type AllocationFacts,
  decideTransfers,
  distinctAmount,
  type OpenTransfer,
  type WantedTransfer,
} from './decideTransfers.ts';

const usd = (dollars: number) => BigInt(dollars) * 1_000_000n;
const target = (shard: number, sharePercent: number, minimum: number): ShardTarget => ({
  shard,
  sharePercent,
  minimumMicros: usd(minimum),
});
const balances = (...dollars: number[]) =>
  dollars.map((amount, shard) => ({ shard, balanceMicros: usd(amount) }));
const move = (source: number, destination: number, dollars: number): WantedTransfer => ({
  source,
  destination,
  amountMicros: usd(dollars),
});
const open = (
  source: number,
  destination: number,
  dollars: number,
  hasLeft = true,
): OpenTransfer => ({ ...move(source, destination, dollars), hasLeft });

const HALVES = [target(0, 50, 100), target(1, 50, 100)];

function facts(change: Partial<AllocationFacts> = {}): AllocationFacts {
  return {
    targets: HALVES,
    balances: balances(500, 500),
    openTransfers: [],
    demand: new Map(),
    blockedShards: new Set(),
    restingPairs: [],
    ...change,
  };
}

const demand = (shard: number, openDollars: number, recentDollars = 0) =>
  new Map([[shard, { openMicros: usd(openDollars), recentMicros: usd(recentDollars) }]]);

describe('the transfers that are wanted', () => {
  test.each<[string, AllocationFacts, WantedTransfer[]]>([
    ['every shard at its share, none', facts(), []],
    ['a shard within a fifth of its share, none', facts({ balances: balances(590, 410) }), []],
    [
      'a shard far below its share, it is brought to it',
      facts({ balances: balances(800, 200) }),
      [move(0, 1, 300)],
    ],
    [
      'an empty shard, it is brought to its share',
      facts({ balances: balances(1000, 0) }),
      [move(0, 1, 500)],
    ],
    [
      'less cash than the minima, it is divided in their proportion',
      facts({ balances: balances(100, 0), targets: [target(0, 50, 300), target(1, 50, 100)] }),
      [move(0, 1, 25)],
    ],
    [
      'open orders that exceed the share, their cash comes first',
      facts({ demand: demand(1, 800) }),
      [move(0, 1, 300)],
    ],
    [
      'open orders that take even the minimum of another shard, they come first',
      facts({ balances: balances(120, 0), demand: demand(1, 40) }),
      [move(0, 1, 70)],
    ],
    [
      'much bought lately, cash is moved ahead of the next orders',
      facts({ demand: demand(1, 0, 700) }),
      [move(0, 1, 200)],
    ],
    [
      'cash on its way to the shard, no second transfer',
      facts({ balances: balances(500, 0), openTransfers: [open(0, 1, 500)] }),
      [],
    ],
    [
      'a transfer that may not have left, its cash is counted once',
      facts({ balances: balances(1000, 0), openTransfers: [open(0, 1, 500, false)] }),
      [],
    ],
    [
      'an open transfer of the pair that is too small, it waits for that one',
      facts({ balances: balances(900, 0), openTransfers: [open(0, 1, 100)] }),
      [],
    ],
    [
      'a pair that failed just now, it rests',
      facts({ balances: balances(1000, 0), restingPairs: [{ source: 0, destination: 1 }] }),
      [],
    ],
    [
      'a shard that takes no transfers, it is left out',
      facts({ balances: balances(1000, 0), blockedShards: new Set([1]) }),
      [],
    ],
    [
      'cash on a shard without a share, it serves the others',
      facts({ balances: balances(100, 100, 800) }),
      [move(2, 0, 400), move(2, 1, 400)],
    ],
    [
      'several donors, the richest gives first',
      facts({
        targets: [target(0, 30, 0), target(1, 30, 0), target(2, 40, 0)],
        balances: balances(400, 600, 0),
      }),
      [move(1, 2, 300), move(0, 2, 100)],
    ],
    [
      'a donor that could give next to nothing, it is left alone',
      facts({
        targets: [target(0, 40, 0), target(1, 30, 0), target(2, 30, 0)],
        balances: balances(905, 395, 0),
        restingPairs: [{ source: 0, destination: 2 }],
      }),
      [],
    ],
    ['no cash at all, none', facts({ balances: balances(0, 0) }), []],
  ])('given %s', (_, given, wanted) => {
    expect(decideTransfers(given)).toEqual(wanted);
  });

  test('given any state, never sends more than a shard has, nor over a pair twice', () => {
    const dollars = fc.integer({ min: 0, max: 2_000 });
    const shard = fc.integer({ min: 0, max: 2 });
    const transfer = fc
      .record({ source: shard, destination: shard, dollars, hasLeft: fc.boolean() })
      .filter(({ source, destination }) => source !== destination);
    fc.assert(
      fc.property(
        fc.tuple(dollars, dollars, dollars),
        fc.uniqueArray(transfer, {
          selector: ({ source, destination }) => `${source} ${destination}`,
          maxLength: 3,
        }),
        fc.tuple(dollars, dollars, shard),
        (held, moving, [openDollars, recentDollars, at]) => {
          const given = facts({
            targets: [target(0, 50, 300), target(1, 30, 100), target(2, 20, 0)],
            balances: balances(...held),
            openTransfers: moving.map((one) =>
              open(one.source, one.destination, one.dollars, one.hasLeft),
            ),
            demand: demand(at, openDollars, recentDollars),
          });
          const wanted = decideTransfers(given);
          const pairs = [...given.openTransfers, ...wanted].map(
            (one) => `${one.source} ${one.destination}`,
          );
          expect(new Set(pairs).size).toBe(pairs.length);
          for (const { shard: source, balanceMicros } of given.balances) {
            const leaving = [
              ...wanted,
              ...given.openTransfers.filter((one) => !one.hasLeft),
            ].filter((one) => one.source === source);
            const sum = leaving.reduce((total, one) => total + one.amountMicros, 0n);
            const isNew = wanted.some((one) => one.source === source);
            if (isNew) expect(sum).toBeLessThanOrEqual(balanceMicros);
          }
        },
      ),
    );
  });
});

test.each([
  ['an amount that no other transfer has, it stays', 1_000_050n, [], 1_000_000n],
  ['an amount of a recent transfer, it is a centicent less', 1_000_000n, [1_000_000n], 999_900n],
  ['two in a row, it is the next free one', 1_000_000n, [1_000_000n, 999_900n], 999_800n],
])('given %s', (_, wanted, taken, amount) => {
  expect(distinctAmount(wanted, new Set(taken))).toBe(amount);
});
