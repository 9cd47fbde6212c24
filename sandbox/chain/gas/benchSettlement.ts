import { encodeFunctionData, type Hex, maxUint256 } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { settlementAbi as abi } from '#contracts/abi/settlement.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { ownerBatch, type SignedCall, type Trader } from './benchAccounts.ts';
import { type BenchChain, MARKET, OPEN_MARKET } from './benchChain.ts';

/** The settlement of the bench's market, and merges in the one that stays open. */
export class BenchSettlement {
  readonly #chain: BenchChain;

  constructor(chain: BenchChain) {
    this.#chain = chain;
  }

  /** Leaves collateral unredeemed, as a settlement in use always has. */
  async warm(): Promise<void> {
    await this.#chain.mint(this.#chain.contracts.settlement);
  }

  register(): Promise<number> {
    const args = [MARKET.ticker] as const;
    const data = encodeFunctionData({ abi, functionName: 'registerMarket', args });
    return this.#send(this.#chain.attestor, data);
  }

  propose(): Promise<number> {
    const args = [MARKET.key, 1_000_000n, 0n] as const;
    const data = encodeFunctionData({ abi, functionName: 'proposeSettlement', args });
    return this.#send(this.#chain.resolver, data);
  }

  async finalize(): Promise<number> {
    await this.#chain.test.increaseTime({ seconds: 10 });
    await this.#chain.test.mine({ blocks: 1 });
    const args = [MARKET.key] as const;
    const data = encodeFunctionData({ abi, functionName: 'finalizeSettlement', args });
    return await this.#send(this.#chain.operator, data);
  }

  redeem({ account }: Trader, amount: bigint = maxUint256): Promise<number> {
    const args = [account, MARKET.key, 0, amount] as const;
    const data = encodeFunctionData({ abi, functionName: 'redeem', args });
    return this.#send(this.#chain.operator, data);
  }

  /** The account's merge, for its owner to sign. */
  mergeCall(amount: bigint): SignedCall {
    const args = [OPEN_MARKET.key, amount] as const;
    const data = encodeFunctionData({ abi, functionName: 'merge', args });
    return { to: this.#chain.contracts.settlement, data };
  }

  /** By a plain wallet, of its own. */
  merge({ owner }: Trader, amount: bigint): Promise<number> {
    return this.#send(owner, this.mergeCall(amount).data);
  }

  mergeByBatch({ owner, account }: Trader, amount: bigint): Promise<number> {
    return this.#chain.send(owner, account, ownerBatch([this.mergeCall(amount)]));
  }

  /** Takes all earnings out of the vault, so that the treasury pays for merges. */
  async sweepEarnings(): Promise<void> {
    const { client, contracts, treasury, send } = this.#chain;
    const vault = { address: contracts.swapVault, abi: swapVaultAbi } as const;
    const earned = await client.readContract({ ...vault, functionName: 'accrued' });
    const data = encodeFunctionData({ ...vault, functionName: 'sweep', args: [earned] });
    await send(treasury, contracts.swapVault, data);
  }

  #send(from: PrivateKeyAccount, data: Hex): Promise<number> {
    return this.#chain.send(from, this.#chain.contracts.settlement, data);
  }
}
