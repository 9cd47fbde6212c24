import { expect, it } from 'vitest';
import { positionView } from '#lib/portfolio/positionView.ts';
import { portfolioEntry } from '#lib/portfolio/testing/portfolioEntry.ts';
import {
  amountWords,
  currentAsset,
  valueWords,
  type WithdrawAsset,
  type WithdrawContext,
  withdrawAmountMicros,
  withdrawAssets,
  withdrawProblem,
} from './withdrawState.ts';

const account = `0x${'a'.repeat(40)}`;
const token = `0x${'b'.repeat(40)}`;
const ready: WithdrawContext = {
  amountText: '12.5',
  destination: `0x${'C'.repeat(40)}`,
  asset: { kind: 'usdc', availableMicros: 12_500_000n },
  smartAccount: account,
  contracts: [token],
  hasFittingCase: true,
};

it('accepts a valid withdrawal to the last micro-unit', () => {
  expect(withdrawProblem(ready)).toBeUndefined();
  expect(withdrawAmountMicros('0.000001')).toBe(1n);
});

it('reads amounts as people type them', () => {
  expect(['$1,000', '1k', '50 USDC', 'ten'].map(withdrawAmountMicros)).toEqual([
    1_000_000_000n,
    1_000_000_000n,
    50_000_000n,
    undefined,
  ]);
});

it('given dollars for contracts, refuses them', () => {
  const contracts: WithdrawAsset = {
    kind: 'outcome',
    tokenId: '0x1',
    name: { outcome: 'Yes · Rain', subject: 'Rain', question: undefined },
    availableMicros: 50_000_000n,
    priceMicros: 500_000n,
  };
  const problemOf = (amountText: string) =>
    withdrawProblem({ ...ready, asset: contracts, amountText });
  expect(problemOf('$5')).toBe('amount_not_contracts');
  expect(problemOf('5 usdc')).toBe('amount_not_contracts');
  expect(problemOf('5')).toBeUndefined();
});

it.each([
  ['amount_missing', { amountText: '' }],
  ['amount_missing', { amountText: '0' }],
  ['amount_invalid', { amountText: '0.0000001' }],
  ['amount_too_large', { amountText: '12.500001' }],
  ['destination_missing', { destination: ' ' }],
  ['destination_invalid', { destination: '0x12' }],
  ['destination_zero', { destination: `0x${'0'.repeat(40)}` }],
  ['destination_own_account', { destination: account.toUpperCase().replace('0X', '0x') }],
  ['destination_contract', { destination: token }],
  ['destination_checksum', { hasFittingCase: false }],
] as const)('stops at %s', (problem, change) => {
  expect(withdrawProblem({ ...ready, ...change })).toBe(problem);
});

it('given a changed list, keeps the chosen asset', () => {
  const cash: WithdrawAsset = { kind: 'usdc', availableMicros: 1n };
  const outcome = (tokenId: string, availableMicros: bigint): WithdrawAsset => ({
    kind: 'outcome',
    tokenId,
    name: { outcome: `Yes · ${tokenId}`, subject: tokenId, question: undefined },
    availableMicros,
    priceMicros: 400_000n,
  });
  const chosen = outcome('7', 5n);
  expect(currentAsset([cash, outcome('8', 9n), outcome('7', 4n)], chosen)).toEqual(
    outcome('7', 4n),
  );
  expect(currentAsset([cash, outcome('8', 9n)], chosen)).toEqual(outcome('7', 0n));
});

it('lists cash, then positions from the most valuable, each by its outcome', () => {
  const held = (tokenId: string, market: Parameters<typeof portfolioEntry>[0]['market'] = {}) =>
    positionView(portfolioEntry({ tokenId, market: { name: 'Fed?', ...market } }));
  const assets = withdrawAssets(5_000_000n, [
    held('1', { subtitle: 'No change', status: 'settled', payoutDollars: '0' }),
    held('2', { subtitle: 'Cut of 25 bps', bidPriceDollars: '0.4700' }),
    positionView(portfolioEntry({ tokenId: '3', item: { amount: '0' } })),
  ]);
  expect(assets).toMatchObject([
    { kind: 'usdc', availableMicros: 5_000_000n },
    { tokenId: '2', name: { outcome: 'Yes · Cut of 25 bps', question: 'Fed?' } },
    { tokenId: '1', name: { outcome: 'Yes · No change' }, priceMicros: 0n },
  ]);
  const [, fed] = assets;
  expect(fed && valueWords(fed, 5_000_000n)).toBe('$2.35');
  expect(fed && amountWords(fed, 333_333n)).toBe('0.333333 contracts');
});

it('given an ended market without a price, does not call its contracts worthless', () => {
  const entry = portfolioEntry({
    market: { status: 'closed', bidPriceDollars: '0', marketPriceDollars: '0' },
  });
  const [, asset] = withdrawAssets(0n, [positionView(entry)]);
  expect(asset).toMatchObject({ priceMicros: null });
  expect(asset && valueWords(asset, 1_000_000n)).toBe('No price');
});
