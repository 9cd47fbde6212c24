import { encodeAbiParameters, encodeFunctionData, type Hex, pad, toHex } from 'viem';
import { expect, test } from 'vitest';
import { ACCOUNT_BATCH, BATCH_MODE } from '#lib/accountBatch.ts';
import { contractCallsAbi } from '#lib/contractCalls.ts';
import { marketKeyOf } from '#lib/outcomeToken.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { describeCalls } from './describeCalls.ts';

const addressOf = (n: number): Hex => pad(toHex(n), { size: 20 });
const ACCOUNT = addressOf(9);
const contracts = {
  usdc: addressOf(1),
  outcomeToken: addressOf(2),
  swapVault: addressOf(3),
  settlement: addressOf(4),
  accountFactory: addressOf(5),
};
const site: SiteConfig = {
  apiKey: '',
  chainId: 8453,
  contracts,
  explorerUrl: null,
  sandbox: false,
  relays: false,
  demoWallets: [],
  walletConnectProjectId: null,
  offersBaseAccount: false,
};

function ofAccount(to: Hex, data: Hex) {
  const batch = encodeAbiParameters(ACCOUNT_BATCH, [[{ to, value: 0n, data }]]);
  const args = [BATCH_MODE, batch] as const;
  const execute = { abi: contractCallsAbi, functionName: 'execute', args } as const;
  return describeCalls({ site, account: ACCOUNT }, [
    { to: ACCOUNT, data: encodeFunctionData(execute) },
  ]);
}

const merge = encodeFunctionData({
  abi: contractCallsAbi,
  functionName: 'merge',
  args: [marketKeyOf('KXTEST'), 3_500_001n],
});

test('given a merge, says to the last digit what is given and received', () => {
  expect(ofAccount(contracts.settlement, merge)).toEqual([
    {
      text: 'Give 3.500001 Yes and 3.500001 No of a market and receive $3.500001 USDC',
      to: contracts.settlement,
      toName: 'Crossbook settlement',
      understood: true,
    },
  ]);
});

test('given the same call to another contract, understands nothing', () => {
  expect(ofAccount(addressOf(6), merge)).toMatchObject([{ understood: false }]);
});
