import { encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { passkeyWalletAbi } from '#contracts/abi/passkeyWallet.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { NO_SESSION_KEY } from '#lib/account/sessionKey.ts';
import { BATCH_MODE } from '#lib/accountBatch.ts';
import { receiveCall } from '#lib/relay/receiveCall.ts';
import { counterpartiesOf, depositInBatch, findForbiddenCalls } from './allowedCalls.ts';

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

const receive = (to: Hex) =>
  receiveCall(
    contracts.usdc,
    {
      from: friend,
      to,
      value: '3000000',
      validAfter: '0',
      validBefore: '9',
      nonce: `0x${'1'.repeat(64)}`,
    },
    `0x${'11'.repeat(64)}1b`,
  ).data;

const owner = address('8');
const inWallet = (functionName: 'addKey' | 'addAddress' | 'removeOwner') => {
  const abi = passkeyWalletAbi;
  const word: Hex = `0x${'11'.repeat(32)}`;
  if (functionName === 'addKey')
    return encodeFunctionData({ abi, functionName, args: [word, word] });
  if (functionName === 'addAddress')
    return encodeFunctionData({ abi, functionName, args: [friend] });
  return encodeFunctionData({ abi, functionName, args: [word] });
};
const walletExecute = encodeFunctionData({
  abi: passkeyWalletAbi,
  functionName: 'execute',
  args: [BATCH_MODE, '0x'],
});

const problemsIn = (type: 'batch' | 'walletBatch', to: Hex, data: Hex, value = '0') =>
  findForbiddenCalls(contracts, {
    type,
    owner,
    account,
    message: { calls: [{ to, value, data }] },
  });
const problemsOf = (to: Hex, data: Hex, value = '0') => problemsIn('batch', to, data, value);

describe('a batch of an account', () => {
  test.each([
    ['revokes its grant', account, own('revoke')],
    ['sets its grant', account, setGrant],
    ['adds a session key', account, addSessionKey],
    ['removes a session key', account, removeSessionKey],
    ['pays USDC', contracts.usdc, transfer],
    ['takes a signed deposit', contracts.usdc, receive(account)],
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
    ['takes a deposit for another account', contracts.usdc, receive(friend)],
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

describe('a batch of a passkey’s wallet', () => {
  test.each([
    ['adds a passkey', owner, inWallet('addKey')],
    ['adds a wallet', owner, inWallet('addAddress')],
    ['removes an owner', owner, inWallet('removeOwner')],
    ['pays USDC', contracts.usdc, transfer],
    ['pays outcome tokens', contracts.outcomeToken, tokenTransfer],
  ] as const)('that %s is sent', (_, to, data) => {
    expect(problemsIn('walletBatch', to, data)).toEqual([]);
  });

  test.each([
    ['executes through itself', owner, walletExecute],
    ['calls itself with nothing', owner, '0x'],
    ['changes the owners of another wallet', friend, inWallet('addKey')],
    ['calls its account', account, own('revoke')],
    ['calls the vault', contracts.swapVault, claim],
  ] as const)('that %s is not', (_, to, data) => {
    expect(problemsIn('walletBatch', to, data)).toMatchObject([{ pointer: '/message/calls/0' }]);
  });

  test('given calls of the wallet in a batch of the account, they are not sent', () => {
    expect(problemsIn('batch', owner, inWallet('addKey'))).toHaveLength(1);
  });
});

test('whoever a batch pays is known to the checks of parties', () => {
  const calls = [
    { to: contracts.usdc, value: '0', data: transfer },
    { to: contracts.outcomeToken, value: '0', data: tokenTransfer },
    { to: contracts.swapVault, value: '0', data: claim },
    { to: owner, value: '0', data: inWallet('addAddress') },
  ];
  expect(counterpartiesOf({ calls })).toEqual([friend, friend, friend]);
});

test('a batch brings what its first call takes from the wallet', () => {
  const first = { to: contracts.usdc, value: '0', data: receive(account) };
  const other = { to: contracts.usdc, value: '0', data: transfer };
  expect(depositInBatch(contracts, account, { calls: [first, other] })).toBe(3_000_000n);
  expect(depositInBatch(contracts, account, { calls: [other, first] })).toBe(0n);
  expect(depositInBatch(contracts, friend, { calls: [first] })).toBe(0n);
  expect(depositInBatch(contracts, account, { calls: [] })).toBe(0n);
});
