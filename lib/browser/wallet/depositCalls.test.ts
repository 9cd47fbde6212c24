import { decodeFunctionData, erc20Abi } from 'viem';
import { expect, it } from 'vitest';
import { depositCalls } from './depositCalls.ts';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

it('transfers exactly the amount of USDC to the smart account', () => {
  const calls = depositCalls(USDC, { smartAccountAddress: ACCOUNT }, 12_345_678n);
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatchObject({ to: USDC, value: 0n });
  expect(decodeFunctionData({ abi: erc20Abi, data: calls[0]?.data ?? '0x' })).toEqual({
    functionName: 'transfer',
    args: [ACCOUNT, 12_345_678n],
  });
});
