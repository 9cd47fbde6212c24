import { encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { NO_SESSION_KEY } from '#lib/account/sessionKey.ts';
import { BATCH_MODE } from '#lib/accountBatch.ts';
import { counterpartiesOf, findForbiddenCalls } from './allowedCalls.ts';

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const contracts = {
  usdc: address('1'),
  outcomeToken: address('2'),
  swapVault: address('3'),
  settlement: address('4'),
  accountFactory: address('5'),
};
const account = address('6');
const friend = address('7');

const own = (functionName: 'revoke') =>
  encodeFunctionData({ abi: tradingAccountAbi, functionName });
const execute = encodeFunctionData({
  abi: tradingAccountAbi,
  functionName: 'execute',
  args: [BATCH_MODE, '0x'],
});
const transfer = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'transfer',
  args: [friend, 1n],
});
const grant = {
  operator: contracts.swapVault,
  validUntil: 1,
  withdrawAnywhere: false,
  maxPerOrder: 1n,
  maxPerDay: 1n,
  maxWithdrawPerDay: 0n,
  nonce: 0n,
  ...NO_SESSION_KEY,
};
const setGrant = encodeFunctionData({
  abi: tradingAccountAbi,
  functionName: 'setGrant',
  args: [grant, '0x'],
});
const key = `0x${'8'.repeat(64)}` as const;
const addSessionKey = encodeFunctionData({
  abi: tradingAccountAbi,
  functionName: 'addSessionKey',
  args: [0n, 1, key],
});
const removeSessionKey = encodeFunctionData({
  abi: tradingAccountAbi,
  functionName: 'removeSessionKey',
  args: [0n, key],
});
const tokenTransfer = encodeFunctionData({
  abi: outcomeTokenAbi,
  functionName: 'safeTransferFrom',
  args: [account, friend, 1n, 1n, '0x'],
});
const claim = encodeFunctionData({
  abi: swapVaultAbi,
  functionName: 'claim',
  args: [account],
});
const spendForOthers = encodeFunctionData({
  abi: parseAbi(['function transferFrom(address from, address to, uint256 value)']),
  functionName: 'transferFrom',
  args: [friend, account, 1n],
});

const problemsOf = (to: Hex, data: Hex, value = '0') =>
  findForbiddenCalls(contracts, account, { calls: [{ to, value, data }] });

describe('a batch of an account', () => {
  test.each([
    ['revokes its grant', account, own('revoke')],
    ['sets its grant', account, setGrant],
    ['adds a session key', account, addSessionKey],
    ['removes a session key', account, removeSessionKey],
    ['pays USDC', contracts.usdc, transfer],
    ['pays outcome tokens', contracts.outcomeToken, tokenTransfer],
    ['calls the vault', contracts.swapVault, claim],
    ['calls the settlement', contracts.settlement, '0x12345678'],
  ] as const)('that %s is sent', (_, to, data) => {
    expect(problemsOf(to, data)).toEqual([]);
  });

  test.each([
    ['executes through itself', account, execute],
    ['calls itself with nothing', account, '0x'],
    ['calls another account', friend, own('revoke')],
    ['calls the factory', contracts.accountFactory, '0x12345678'],
    ['moves the USDC of others', contracts.usdc, spendForOthers],
    ['calls USDC with cut data', contracts.usdc, transfer.slice(0, 30) as Hex],
  ] as const)('that %s is not', (_, to, data) => {
    expect(problemsOf(to, data)).toMatchObject([{ pointer: '/message/calls/0' }]);
  });

  test('with ether is not, and names the value', () => {
    expect(problemsOf(contracts.swapVault, claim, '1')).toMatchObject([
      { pointer: '/message/calls/0/value' },
    ]);
  });
});

test('whoever a batch pays is known to the checks of parties', () => {
  const calls = [
    { to: contracts.usdc, value: '0', data: transfer },
    { to: contracts.outcomeToken, value: '0', data: tokenTransfer },
    { to: contracts.swapVault, value: '0', data: claim },
  ];
  expect(counterpartiesOf({ calls })).toEqual([friend, friend]);
});
