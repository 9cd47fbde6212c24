import { eq } from 'drizzle-orm';
import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
} from 'viem';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import { base } from '#lib/chains.ts';
import { outcomeTokenId } from '#lib/outcomeToken.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';
import { encodeAccountExecute } from '#server/chain/accountExecute.ts';
import { asTradeOrder, vaultOrderOf } from '#server/domain/orders/lifecycle/orderRow.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { withRuntime } from './books.ts';
import { controlChainFaults } from './chainFaults.ts';
import {
  createTrader,
  type Limits,
  signIn,
  type Trader,
  untilComplete,
  WIDE_LIMITS,
} from './trader.ts';

type Transaction = { to: string; value: string; data: string };

/** Reads the sandbox's chain, never from a cache. */
export function chainReader(sandbox: Pick<SandboxDescription, 'rpcUrl'>) {
  return createPublicClient({ chain: base, transport: http(sandbox.rpcUrl), cacheTime: 0 });
}

/** Sends transactions in sequence, as the trader's wallet would. @throws when one fails */
export async function sendTransactions(
  sandbox: Pick<SandboxDescription, 'rpcUrl'>,
  trader: Pick<Trader, 'wallet'>,
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

/** The owner's call that ends an order half an hour later, whatever the service does. */
export async function requestEnd(
  sandbox: Pick<SandboxDescription, 'rpcUrl' | 'contracts'>,
  dataDir: string,
  trader: Trader,
  id: string,
): Promise<void> {
  const [row] = await withRuntime(dataDir, ({ database }) =>
    database.orm.select().from(orders).where(eq(orders.id, id)),
  );
  if (!row) throw new Error('the order is not stored');
  const data = encodeFunctionData({
    abi: swapVaultAbi,
    functionName: 'requestEnd',
    args: [vaultOrderOf(asTradeOrder(row))],
  });
  const call = { to: sandbox.contracts.swapVault, value: 0n, data };
  await sendTransactions(sandbox, trader, [
    { to: trader.account, value: '0', data: encodeAccountExecute([call]) },
  ]);
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

/** A trader that uses the wallet itself, without a smart account. */
export async function createPlainWalletTrader(sandbox: SandboxDescription): Promise<Trader> {
  const [rich, trader] = [await createTrader(sandbox, WIDE_LIMITS), await signIn(sandbox)];
  await controlChainFaults(sandbox).setGasMoney(trader.wallet.address, parseEther('1'));
  const { intent } = await rich.api.withdraw({
    intentType: 'Withdraw',
    destinationAddress: trader.wallet.address,
    amount: '100',
    tokenType: 'erc20',
    tokenAddress: sandbox.contracts.usdc,
  });
  await untilComplete(rich, intent.id);
  return { ...trader, account: trader.wallet.address };
}

/** Takes from the vault the tokens that a wallet had refused. */
export async function claimTokens(
  sandbox: SandboxDescription,
  trader: Trader,
  { ticker, side }: { ticker: string; side: 'yes' | 'no' },
): Promise<void> {
  const data = encodeFunctionData({
    abi: swapVaultAbi,
    functionName: 'claimTokens',
    args: [trader.account, outcomeTokenId(ticker, side), trader.account],
  });
  await sendTransactions(sandbox, trader, [{ to: sandbox.contracts.swapVault, value: '0', data }]);
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
