import { expect, it } from 'vitest';
import {
  currentAsset,
  type WithdrawAsset,
  type WithdrawContext,
  withdrawAmountMicros,
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
    name: tokenId,
    availableMicros,
  });
  const chosen = outcome('7', 5n);
  expect(currentAsset([cash, outcome('8', 9n), outcome('7', 4n)], chosen)).toEqual(
    outcome('7', 4n),
  );
  expect(currentAsset([cash, outcome('8', 9n)], chosen)).toEqual(outcome('7', 0n));
});
