import fc from 'fast-check';
import { type Address, getAddress, pad, toHex, zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import type { LedgerAsset, LedgerLine } from '../ledger/ledger.ts';
import { move } from '../ledger/ledger.ts';
import { type Movement, type Places, unexplainedLines } from './unexplainedLines.ts';

const addressOf = (n: number): Address => getAddress(pad(toHex(n), { size: 20 }));
const VAULT = addressOf(0xaa);
const TREASURY = addressOf(0xbb);
const SETTLEMENT = addressOf(0xcc);
const ALICE = addressOf(1);
const BOB = addressOf(2);
const STRANGER = addressOf(3);
const TOKEN: LedgerAsset = 'token:T:yes';

const places: Places = {
  vault: VAULT,
  settlement: SETTLEMENT,
  treasury: TREASURY,
  follows: (account) => account === ALICE || account === BOB,
};

function paid(asset: LedgerAsset, from: Address, to: Address, amountMicros: bigint): Movement {
  return { asset, from, to, amountMicros };
}

function book(lines: readonly LedgerLine[]): Record<string, bigint> {
  return Object.fromEntries(
    lines.map((line) => [`${line.account} ${line.asset}`, line.amountMicros]),
  );
}

describe('unexplainedLines', () => {
  test('given any own postings, every followed account ends with its chain balance', () => {
    const party = fc.constantFrom(VAULT, SETTLEMENT, TREASURY, ALICE, BOB, STRANGER, zeroAddress);
    const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
    const movement = fc.tuple(party, party, amount);
    const ownMove = fc.tuple(
      fc.constantFrom('escrow' as const, `user:${ALICE}` as const, `user:${STRANGER}` as const),
      fc.constantFrom('house' as const, `user:${BOB}` as const),
      amount,
    );
    fc.assert(
      fc.property(fc.array(movement), fc.array(ownMove), (movements, ownMoves) => {
        const own = ownMoves.flatMap(([from, to, micros]) => move('usdc', from, to, micros));
        const moved = movements.map(([from, to, micros]) => paid('usdc', from, to, micros));
        const lines = [...own, ...unexplainedLines(moved, own, [], places)];
        const sumOf = (account: string) =>
          lines
            .filter((line) => line.account === account)
            .reduce((sum, line) => sum + line.amountMicros, 0n);
        const chainOf = (address: Address) =>
          moved.reduce(
            (sum, one) =>
              sum +
              (one.to === address ? one.amountMicros : 0n) -
              (one.from === address ? one.amountMicros : 0n),
            0n,
          );
        expect(sumOf(`user:${ALICE}`)).toBe(chainOf(ALICE));
        expect(sumOf(`user:${BOB}`)).toBe(chainOf(BOB));
        expect(sumOf(`user:${STRANGER}`)).toBe(0n);
        const inside = ['escrow', 'house', 'unassigned'].reduce((sum, one) => sum + sumOf(one), 0n);
        expect(inside).toBe(chainOf(VAULT) + chainOf(SETTLEMENT));
      }),
    );
  });

  test('given a transaction that matches its posting, returns nothing', () => {
    const own = move('usdc', `user:${ALICE}`, 'escrow', 5n);
    expect(unexplainedLines([paid('usdc', ALICE, VAULT, 5n)], own, [], places)).toEqual([]);
  });

  test('records tokens between holders, and those burnt without an order', () => {
    const moved = [paid(TOKEN, ALICE, STRANGER, 7n), paid(TOKEN, BOB, zeroAddress, 2n)];
    expect(book(unexplainedLines(moved, [], [], places))).toEqual({
      [`user:${ALICE} ${TOKEN}`]: -7n,
      [`user:${STRANGER} ${TOKEN}`]: 7n,
      [`user:${BOB} ${TOKEN}`]: -2n,
      [`treasury ${TOKEN}`]: 2n,
    });
  });

  test('takes a redemption from the collateral, even when the holder refuses the payment', () => {
    const burnt = paid(TOKEN, ALICE, zeroAddress, 4n);
    const redeemed = { kind: 'redeemed', usdcMicros: 4n } as const;
    expect(
      book(unexplainedLines([burnt, paid('usdc', SETTLEMENT, ALICE, 4n)], [], [redeemed], places)),
    ).toMatchObject({ 'collateral usdc': -4n, [`user:${ALICE} usdc`]: 4n });
    const credited = { kind: 'credited', asset: 'usdc', amountMicros: 4n } as const;
    expect(book(unexplainedLines([burnt], [], [redeemed, credited], places))).toMatchObject({
      'collateral usdc': -4n,
      'claimable usdc': 4n,
    });
  });

  test('takes a merge from the earnings or the treasury, and its contracts out of the backing', () => {
    const other: LedgerAsset = 'token:T:no';
    const burnt = [TOKEN, other].map((asset) => paid(asset, ALICE, zeroAddress, 4n));
    const merged = { kind: 'merged', assets: [TOKEN, other], contractMicros: 4n } as const;
    const tokens = {
      [`user:${ALICE} ${TOKEN}`]: -4n,
      [`netted ${TOKEN}`]: 4n,
      [`user:${ALICE} ${other}`]: -4n,
      [`netted ${other}`]: 4n,
    };
    const byVault = [...burnt, paid('usdc', VAULT, ALICE, 4n)];
    const ofVault = { ...merged, assets: [...merged.assets], byTreasury: false };
    expect(book(unexplainedLines(byVault, [], [ofVault], places))).toEqual({
      ...tokens,
      'house usdc': -4n,
      [`user:${ALICE} usdc`]: 4n,
    });
    const byTreasury = [...burnt, paid('usdc', TREASURY, ALICE, 4n)];
    const ofTreasury = { ...ofVault, byTreasury: true };
    expect(book(unexplainedLines(byTreasury, [], [ofTreasury], places))).toEqual({
      ...tokens,
      'outside usdc': -4n,
      [`user:${ALICE} usdc`]: 4n,
    });
  });

  test('given a refund of as much beside a merge that the treasury pays, confuses neither', () => {
    const own = move('usdc', 'escrow', `user:${ALICE}`, 4n);
    const moved = [paid('usdc', VAULT, ALICE, 4n), paid('usdc', TREASURY, ALICE, 4n)];
    const merged = { kind: 'merged', assets: [], contractMicros: 4n, byTreasury: true } as const;
    const entry = { ...merged, assets: [] };
    expect(book(unexplainedLines(moved, own, [entry], places))).toEqual({
      'outside usdc': -4n,
      [`user:${ALICE} usdc`]: 4n,
    });
  });

  test('follows a payment that took another way than its posting', () => {
    const own = move('usdc', 'house', `user:${BOB}`, 9n);
    expect(book(unexplainedLines([paid('usdc', VAULT, ALICE, 9n)], own, [], places))).toEqual({
      [`user:${ALICE} usdc`]: 9n,
      [`user:${BOB} usdc`]: -9n,
    });
  });

  test('classifies swept earnings, pulled collateral, and money without a known reason', () => {
    const swept = book(unexplainedLines([paid('usdc', VAULT, TREASURY, 3n)], [], [], places));
    expect(swept).toEqual({ 'house usdc': -3n, 'outside usdc': 3n });
    const pulled = book(unexplainedLines([paid('usdc', TREASURY, VAULT, 3n)], [], [], places));
    expect(pulled).toEqual({ 'house usdc': 3n, 'outside usdc': -3n });
    const orphan = book(unexplainedLines([paid('usdc', STRANGER, VAULT, 3n)], [], [], places));
    expect(orphan).toEqual({ 'unassigned usdc': 3n, 'outside usdc': -3n });
  });

  test('given collateral that moves from the vault to the settlement, returns nothing', () => {
    expect(unexplainedLines([paid('usdc', VAULT, SETTLEMENT, 3n)], [], [], places)).toEqual([]);
  });

  test('keeps the input of a foreign order in escrow', () => {
    const facts = [{ kind: 'foreign_order' } as const];
    const lines = unexplainedLines([paid('usdc', ALICE, VAULT, 3n)], [], facts, places);
    expect(book(lines)).toEqual({ [`user:${ALICE} usdc`]: -3n, 'escrow usdc': 3n });
  });
});
