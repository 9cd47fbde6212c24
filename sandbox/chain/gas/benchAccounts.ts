import { encodeAbiParameters, encodeFunctionData, type Hex, keccak256, parseEther } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import { type GrantKey, NO_SESSION_KEY } from '#lib/account/sessionKey.ts';
import type { OrderSigner } from '#lib/order/signOrder.ts';
import { grantTypedData } from '#server/domain/accounts/signGrant.ts';
import { type BenchChain, MARKET } from './benchChain.ts';

const BATCH_MODE = `0x01${'00'.repeat(31)}` as const;

export type Trader = { owner: PrivateKeyAccount; account: Hex };
export type SignedCall = { to: Hex; data: Hex };

/** A session key as the grant names it, and what signs orders with it. */
export type BenchKey = { named: GrantKey; signer: OrderSigner };

export const newOwner = () => privateKeyToAccount(generatePrivateKey());

/** Accounts of the bench, their grants and withdrawals. */
export class BenchAccounts {
  readonly traders: Trader[] = [];
  readonly #chain: BenchChain;

  constructor(chain: BenchChain) {
    this.#chain = chain;
  }

  addressOf({ address }: { address: Hex }): Promise<Hex> {
    return this.#chain.client.readContract({
      address: this.#chain.contracts.accountFactory,
      abi: tradingAccountFactoryAbi,
      functionName: 'addressOf',
      args: [address],
    });
  }

  create(owner: PrivateKeyAccount): Promise<number> {
    const abi = tradingAccountFactoryAbi;
    const args = [owner.address] as const;
    const data = encodeFunctionData({ abi, functionName: 'createAccount', args });
    return this.#send(this.#chain.contracts.accountFactory, data);
  }

  async createAndGrant(owner: PrivateKeyAccount, key?: BenchKey): Promise<number> {
    const account = await this.addressOf(owner);
    const grant = grantFor(this.#chain.contracts.swapVault, 0n, key);
    const abi = tradingAccountFactoryAbi;
    const args = [owner.address, grant, await signGrant({ owner, account }, grant)] as const;
    const data = encodeFunctionData({ abi, functionName: 'createAndGrant', args });
    return await this.#send(this.#chain.contracts.accountFactory, data);
  }

  /** Owners with granted, funded accounts. */
  async openTraders(count: number, key?: BenchKey): Promise<void> {
    await this.#chain.attest([MARKET.ticker, 'yes']);
    for (let index = 0; index < count; index += 1) {
      const owner = newOwner();
      await this.#chain.test.setBalance({ address: owner.address, value: parseEther('1') });
      await this.createAndGrant(owner, key);
      const account = await this.addressOf(owner);
      await this.#chain.mint(account);
      this.traders.push({ owner, account });
    }
  }

  firstTrader(): Trader {
    const [trader] = this.traders;
    if (!trader) throw new Error('the bench has no trader');
    return trader;
  }

  /** Renews the trader's grant, with other caps if they are given. */
  async renewGrant(
    trader: Trader,
    nonce: bigint,
    { withOtherCaps, key }: { withOtherCaps: boolean; key?: BenchKey },
  ): Promise<number> {
    const first = grantFor(this.#chain.contracts.swapVault, nonce, key);
    // A different expiry than the last grant's: an equal one would save a storage write.
    const validUntil = first.validUntil + 86_400 * Number(nonce);
    const maxPerOrder = withOtherCaps ? first.maxPerOrder + 1_000_000n : first.maxPerOrder;
    const grant = { ...first, validUntil, maxPerOrder };
    const args = [grant, await signGrant(trader, grant)] as const;
    const data = encodeFunctionData({ abi: tradingAccountAbi, functionName: 'setGrant', args });
    return await this.#send(trader.account, data);
  }

  withdraw({ account }: Trader): Promise<number> {
    const { contracts, operator } = this.#chain;
    const args = [contracts.usdc, 0n, 1_000_000n, operator.address, keccak256('0x02')] as const;
    const abi = tradingAccountAbi;
    return this.#send(account, encodeFunctionData({ abi, functionName: 'operatorWithdraw', args }));
  }

  #send(to: Hex, data: Hex): Promise<number> {
    return this.#chain.send(this.#chain.operator, to, data);
  }
}

/** The owner’s own calls of its account. */
export function ownerBatch(calls: readonly SignedCall[]): Hex {
  const components = [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }] as const;
  const encoded = encodeAbiParameters(
    [{ type: 'tuple[]', components }],
    [calls.map(({ to, data }) => [to, 0n, data] as const)],
  );
  const args = [BATCH_MODE, encoded] as const;
  return encodeFunctionData({ abi: tradingAccountAbi, functionName: 'execute', args });
}

function grantFor(operator: Hex, nonce: bigint, key?: BenchKey) {
  return {
    operator,
    validUntil: Math.floor(Date.now() / 1000) + 30 * 86_400,
    withdrawAnywhere: key === undefined,
    maxPerOrder: 500_000_000n,
    maxPerDay: 5_000_000_000n,
    maxWithdrawPerDay: 1_000_000_000n,
    nonce,
    ...(key?.named ?? NO_SESSION_KEY),
  };
}

function signGrant({ owner, account }: Trader, grant: ReturnType<typeof grantFor>) {
  const named = { ...grant, validUntil: BigInt(grant.validUntil) };
  return owner.signTypedData(grantTypedData(8453, account, named));
}
