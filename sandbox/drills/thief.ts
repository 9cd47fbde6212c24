import {
  type Address,
  BaseError,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { base } from '#lib/chains.ts';
import { marketKeyOf } from '#lib/outcomeToken.ts';
import { chainReader } from '#sandbox/testing/chainTrader.ts';
import type { AdminConsole } from './adminConsole.ts';

/** An attacker with one of our operators' keys and a node of their own. */
export type Thief = {
  address: Address;
  /** Moves USDC out of an account under its grant. Returns the error that stopped it, if any. */
  steal(account: Address, usdcMicros: bigint): Promise<string | undefined>;
  /**
   * Buys tokens of a market from itself for a micro-dollar. Returns the error that stopped it, if
   * any.
   */
  mintForNothing(ticker: string): Promise<string | undefined>;
  /** Tries every call reserved for other roles. Returns the errors. */
  reachForMore(): Promise<(string | undefined)[]>;
};

export function createThief(adminConsole: AdminConsole, key: Hex): Thief {
  const { rpcUrl, contracts } = adminConsole.sandbox();
  const account = privateKeyToAccount(key);
  const chain = chainReader(adminConsole.sandbox());
  const wallet = createWalletClient({ account, chain: base, transport: http(rpcUrl) });
  let references = 0n;

  async function send(to: Address, data: Hex): Promise<string | undefined> {
    try {
      await chain.call({ account, to, data });
    } catch (error) {
      return errorDataOf(error);
    }
    const hash = await wallet.sendTransaction({ to, data });
    const receipt = await chain.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    return receipt.status === 'success' ? undefined : 'reverted';
  }

  const vaultCall = (functionName: 'pause' | 'unpause') =>
    encodeFunctionData({ abi: swapVaultAbi, functionName });
  return {
    address: account.address,
    steal(victim, usdcMicros) {
      references += 1n;
      const reference: Hex = `0x${(2n ** 200n + references).toString(16).padStart(64, '0')}`;
      const data = encodeFunctionData({
        abi: tradingAccountAbi,
        functionName: 'operatorWithdraw',
        args: [contracts.usdc, 0n, usdcMicros, account.address, reference],
      });
      return send(victim, data);
    },
    async mintForNothing(ticker) {
      const order = {
        account: account.address,
        receiver: account.address,
        marketKey: marketKeyOf(ticker),
        outcome: 0,
        isBuy: true,
        quantity: 1_000_000n,
        quoteLimit: 1n,
        expiry: (await chain.getBlock()).timestamp + 600n,
        clientRef: marketKeyOf('a thief'),
        salt: 1n,
      };
      const approval = encodeFunctionData({
        abi: erc20Abi,
        functionName: 'approve',
        args: [contracts.swapVault, order.quoteLimit],
      });
      const request = encodeFunctionData({
        abi: swapVaultAbi,
        functionName: 'request',
        args: [order],
      });
      const fill = encodeFunctionData({
        abi: swapVaultAbi,
        functionName: 'fill',
        args: [
          {
            order,
            filledTotal: order.quantity,
            quoteTotal: order.quoteLimit,
            isLast: true,
          },
        ],
      });
      const prepared =
        (await send(contracts.usdc, approval)) ?? (await send(contracts.swapVault, request));
      if (prepared !== undefined) throw new Error(`the thief cannot even order: ${prepared}`);
      return await send(contracts.swapVault, fill);
    },
    async reachForMore() {
      const key32: Hex = `0x${'11'.repeat(32)}`;
      const { swapVault, settlement } = contracts;
      const tries: [Hex, Hex][] = [
        [swapVault, vaultCall('pause')],
        [swapVault, vaultCall('unpause')],
        [swapVault, encodeFunctionData({ abi: swapVaultAbi, functionName: 'acceptTreasury' })],
        [
          settlement,
          encodeFunctionData({
            abi: settlementAbi,
            functionName: 'proposeSettlement',
            args: [key32, 1_000_000n, 0n],
          }),
        ],
        [
          swapVault,
          encodeFunctionData({
            abi: swapVaultAbi,
            functionName: 'attestBacking',
            args: [[{ tokenId: 1n, bought: 1_000_000n, floor: 0 }]],
          }),
        ],
        [
          settlement,
          encodeFunctionData({
            abi: settlementAbi,
            functionName: 'registerMarket',
            args: ['A-MARKET-OF-HIS-OWN'],
          }),
        ],
        [
          swapVault,
          encodeFunctionData({
            abi: swapVaultAbi,
            functionName: 'grantRole',
            args: [`0x${'00'.repeat(32)}`, account.address],
          }),
        ],
      ];
      const refused: (string | undefined)[] = [];
      for (const [to, data] of tries) refused.push(await send(to, data));
      return refused;
    },
  };
}

/** The first four bytes of what a call reverted with, or its message. */
function errorDataOf(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('data' in cause && typeof cause.data === 'string') return cause.data.slice(0, 10);
  }
  return error instanceof BaseError ? error.shortMessage : String(error);
}
