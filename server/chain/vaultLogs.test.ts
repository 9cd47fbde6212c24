import {
  type Address,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  erc20Abi,
  type Log,
  parseAbi,
} from 'viem';
import { describe, expect, test } from 'vitest';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { errorName, readProceeds } from './vaultLogs.ts';

const contracts = {
  swapVault: '0x1000000000000000000000000000000000000001',
  usdc: '0x2000000000000000000000000000000000000002',
} as const;
const anna: Address = '0x3000000000000000000000000000000000000003';
const ben: Address = '0x4000000000000000000000000000000000000004';
const amount = encodeAbiParameters([{ type: 'uint256' }], [5n]);

function logOf(address: Address, logIndex: number, topics: unknown): Log {
  return { address, logIndex, topics, data: amount } as Log;
}

const transfer = (logIndex: number, from: Address, to: Address) =>
  logOf(
    contracts.usdc,
    logIndex,
    encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } }),
  );
const credit = (logIndex: number, account: Address) =>
  logOf(
    contracts.swapVault,
    logIndex,
    encodeEventTopics({ abi: swapVaultAbi, eventName: 'Credited', args: { account } }),
  );

describe('the receiver of a sale', () => {
  test('is the last payment before its fill, among those of a batch', () => {
    const logs = [
      transfer(3, contracts.swapVault, anna),
      transfer(6, contracts.swapVault, ben),
      transfer(9, contracts.swapVault, anna),
    ];
    expect(readProceeds(contracts, logs, 7)).toBe(ben);
    expect(readProceeds(contracts, logs, 4)).toBe(anna);
  });

  test('is “claimable” when the vault keeps it as a credit', () => {
    const logs = [transfer(3, contracts.swapVault, anna), credit(6, ben)];
    expect(readProceeds(contracts, logs, 7)).toBe('claimable');
  });

  test('ignores payments of the treasury to the vault', () => {
    const logs = [transfer(3, contracts.swapVault, anna), transfer(5, ben, contracts.swapVault)];
    expect(readProceeds(contracts, logs, 7)).toBe(anna);
  });

  test('is unknown without a payment', () => {
    expect(readProceeds(contracts, [], 7)).toBeUndefined();
  });
});

describe('the name of an error', () => {
  const reason = (text: string) =>
    encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [text] });

  test.each([
    ['ERC20: transfer amount exceeds balance', 'ERC20InsufficientBalance'],
    ['ERC20: transfer amount exceeds allowance', 'ERC20InsufficientAllowance'],
    ['Pausable: paused', 'Error'],
  ])('given the reason “%s”, as of Circle’s USDC, is %s', (text, name) => {
    expect(errorName(reason(text))).toBe(name);
  });

  test('given an error of our contracts, is its own; of none, its selector', () => {
    const paused = encodeErrorResult({ abi: swapVaultAbi, errorName: 'VaultPaused' });
    expect(errorName(paused)).toBe('VaultPaused');
    expect(errorName('0x12345678')).toBe('0x12345678');
    expect(errorName('0x')).toBe('no_reason');
  });
});
