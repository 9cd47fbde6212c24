import { expect, test } from 'vitest';
import { batchingWalletAbi } from '#contracts/abi/batchingWallet.ts';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import { contractCallsAbi } from './contractCalls.ts';

test.each([
  ['approve', testUsdcAbi],
  ['createAccount', tradingAccountFactoryAbi],
  ['execute', tradingAccountAbi],
  ['execute', batchingWalletAbi],
  ['merge', settlementAbi],
  ['request', swapVaultAbi],
  ['revoke', tradingAccountAbi],
  ['transfer', testUsdcAbi],
] as const)('given %s, its contract declares it identically', (name, abi) => {
  const declared = contractCallsAbi.filter((item) => item.name === name);
  expect(declared).toHaveLength(1);
  expect(abi).toContainEqual(declared[0]);
});

test('given every declared call, one of the contracts has it', () => {
  expect(contractCallsAbi).toHaveLength(7);
});
