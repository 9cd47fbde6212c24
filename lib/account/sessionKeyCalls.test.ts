import { decodeFunctionData } from 'viem';
import { expect, test } from 'vitest';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { KEY_KIND } from './sessionKey.ts';
import { addSessionKeyCall, removeSessionKeyCall, sessionKeyAbi } from './sessionKeyCalls.ts';

const account = `0x${'6'.repeat(40)}` as const;
const key = `0x${'ab'.repeat(32)}` as const;

test('given a key, the account is told to add it under the grant of a nonce, and to remove it', () => {
  const added = addSessionKeyCall(account, 3n, { keyKind: KEY_KIND.p256, key });
  expect(added).toMatchObject({ to: account, value: 0n });
  expect(decodeFunctionData({ abi: tradingAccountAbi, data: added.data })).toEqual({
    functionName: 'addSessionKey',
    args: [3n, KEY_KIND.p256, key],
  });
  const removed = removeSessionKeyCall(account, 3n, { key });
  expect(decodeFunctionData({ abi: tradingAccountAbi, data: removed.data })).toEqual({
    functionName: 'removeSessionKey',
    args: [3n, key],
  });
});

test('the contract declares both functions identically', () => {
  for (const declared of sessionKeyAbi) {
    const { name, inputs } = declared;
    const ofContract = tradingAccountAbi.find((item) => 'name' in item && item.name === name);
    expect(ofContract).toMatchObject({ type: 'function', inputs });
  }
});
