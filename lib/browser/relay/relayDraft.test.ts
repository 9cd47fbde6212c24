import { encodeAbiParameters, encodeFunctionData, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { ACCOUNT_BATCH, BATCH_MODE } from '#lib/accountBatch.ts';
import { contractCallsAbi } from '#lib/contractCalls.ts';
import { accountCallsIn } from './relayDraft.ts';

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const contracts = {
  usdc: address('1'),
  outcomeToken: address('2'),
  swapVault: address('3'),
  settlement: address('4'),
  accountFactory: address('5'),
};
const account = address('6');
const inner = [
  { to: contracts.usdc, value: 0n, data: '0x01' as Hex },
  { to: contracts.swapVault, value: 0n, data: '0x02' as Hex },
];
const execute = {
  to: account,
  value: 0n,
  data: encodeFunctionData({
    abi: contractCallsAbi,
    functionName: 'execute',
    args: [BATCH_MODE, encodeAbiParameters(ACCOUNT_BATCH, [inner])],
  }),
};
const deployment = {
  to: contracts.accountFactory,
  value: 0n,
  data: encodeFunctionData({
    abi: contractCallsAbi,
    functionName: 'createAccount',
    args: [address('7')],
  }),
};

test('the account’s own calls are those within its executions, without its deployment', () => {
  expect(accountCallsIn({ contracts }, account, [deployment, execute])).toEqual(inner);
});

test('given a call that the wallet itself makes, there are none', () => {
  const direct = { to: contracts.swapVault, value: 0n, data: '0x02' as Hex };
  const revoke = encodeFunctionData({ abi: contractCallsAbi, functionName: 'revoke' });
  expect(accountCallsIn({ contracts }, account, [execute, direct])).toBeUndefined();
  expect(
    accountCallsIn({ contracts }, account, [{ to: account, value: 0n, data: revoke }]),
  ).toBeUndefined();
});
