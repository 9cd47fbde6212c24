import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
} from 'viem';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import { base } from '#lib/chains.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';
import { createTrader, type Limits, type Trader } from './trader.ts';

type Transaction = { to: string; value: string; data: string };

/** Reads the sandbox's chain, never from a cache. */
export function chainReader(sandbox: Pick<SandboxDescription, 'rpcUrl'>) {
  return createPublicClient({ chain: base, transport: http(sandbox.rpcUrl), cacheTime: 0 });
}

/** Sends transactions in sequence, as the trader's wallet would. @throws when one fails */
export async function sendTransactions(
  sandbox: Pick<SandboxDescription, 'rpcUrl'>,
  trader: Trader,
  transactions: readonly Transaction[],
): Promise<void> {
  const wallet = createWalletClient({
    account: trader.wallet,
    chain: base,
    transport: http(sandbox.rpcUrl),
  });
  for (const { to, value, data } of transactions) {
    const hash = await wallet.sendTransaction({
      to: to as Hex,
      value: BigInt(value),
      data: data as Hex,
    });
    const receipt = await chainReader(sandbox).waitForTransactionReceipt({
      hash,
      pollingInterval: 20,
    });
    if (receipt.status !== 'success') throw new Error(`transaction ${hash} was reverted`);
  }
}

/** A contract that rejects every call, and every token. */
export async function deployRefusing(
  sandbox: Pick<SandboxDescription, 'rpcUrl'>,
  trader: Trader,
): Promise<Address> {
  const wallet = createWalletClient({
    account: trader.wallet,
    chain: base,
    transport: http(sandbox.rpcUrl),
  });
  // Its init code returns `60006000fd`: revert on every call.
  const hash = await wallet.sendTransaction({ data: '0x6460006000fd6000526005601bf3' });
  const receipt = await chainReader(sandbox).waitForTransactionReceipt({
    hash,
    pollingInterval: 20,
  });
  if (!receipt.contractAddress) throw new Error('the refusing contract was not deployed');
  return receipt.contractAddress;
}

/** A funded trader whose smart account is already deployed. */
export async function createDeployedTrader(
  sandbox: SandboxDescription,
  limits: Limits = {},
): Promise<Trader> {
  const trader = await createTrader(sandbox, limits);
  const data = encodeFunctionData({
    abi: tradingAccountFactoryAbi,
    functionName: 'createAccount',
    args: [trader.wallet.address],
  });
  const to = sandbox.contracts.accountFactory;
  await sendTransactions(sandbox, trader, [{ to, value: '0', data }]);
  return trader;
}
