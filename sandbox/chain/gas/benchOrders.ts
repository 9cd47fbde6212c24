import { encodeFunctionData, type Hex, keccak256, toBytes } from 'viem';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { orderDigest } from '#lib/order/orderToSign.ts';
import { orderMessage, type VaultOrder } from '#server/chain/vaultOrder.ts';
import { type BenchKey, ownerBatch, type SignedCall, type Trader } from './benchAccounts.ts';
import { type BenchChain, MARKET, OPEN_MARKET } from './benchChain.ts';

const QUANTITY = 4_000_000n;

/** Orders of the bench, from their request to their fill or refund. */
export class BenchOrders {
  #salt = 0n;
  readonly #chain: BenchChain;

  constructor(chain: BenchChain) {
    this.#chain = chain;
  }

  order({ account }: Trader, { isBuy }: { isBuy: boolean }): VaultOrder {
    this.#salt += 1n;
    return {
      account,
      receiver: account,
      marketKey: MARKET.key,
      outcome: 0,
      isBuy,
      quantity: isBuy ? QUANTITY : QUANTITY / 2n,
      quoteLimit: QUANTITY / 4n,
      expiry: BigInt(Math.floor(Date.now() / 1000) + 3_600),
      clientRef: keccak256(toBytes(`reference ${this.#salt}`)),
      salt: BigInt(keccak256(toBytes(`salt ${this.#salt}`))) >> 128n,
    };
  }

  async requestFor(orders: VaultOrder[], key?: BenchKey): Promise<number> {
    const signatures = await Promise.all(
      orders.map(async (order): Promise<Hex> => {
        return key ? await key.signer.signDigest(orderDigest(8453, orderMessage(order))) : '0x';
      }),
    );
    const args = [orders, signatures] as const;
    return await this.#send(
      encodeFunctionData({ abi: swapVaultAbi, functionName: 'requestFor', args }),
    );
  }

  requestByOwner({ owner, account }: Trader, order: VaultOrder): Promise<number> {
    return this.#chain.send(owner, account, ownerBatch(this.#requestCalls(order)));
  }

  /** The calls of an account's first order, in the market that stays open. */
  firstOrderCalls(trader: Trader): SignedCall[] {
    return this.#requestCalls({
      ...this.order(trader, { isBuy: true }),
      marketKey: OPEN_MARKET.key,
    });
  }

  /** To these totals; a last fill ends the order. */
  fill(order: VaultOrder, filledTotal: bigint, quoteTotal: bigint, isLast = true) {
    const args = [{ order, filledTotal, quoteTotal, isLast }] as const;
    return this.#send(encodeFunctionData({ abi: swapVaultAbi, functionName: 'fill', args }));
  }

  /** Each of the orders to `part` quarters of it; the fourth ends it. */
  fillBatch(orders: VaultOrder[], part = 4n): Promise<number> {
    const fills = orders.map((order) => ({
      order,
      filledTotal: (order.quantity * part) / 4n,
      quoteTotal: (order.quoteLimit * part) / 4n,
      isLast: part === 4n,
    }));
    return this.#send(
      encodeFunctionData({ abi: swapVaultAbi, functionName: 'fillBatch', args: [fills] }),
    );
  }

  /** By the account’s owner. */
  requestEnd({ owner, account }: Trader, order: VaultOrder): Promise<number> {
    const abi = swapVaultAbi;
    const data = encodeFunctionData({ abi, functionName: 'requestEnd', args: [order] });
    const call = { to: this.#chain.contracts.swapVault, data };
    return this.#chain.send(owner, account, ownerBatch([call]));
  }

  refund(order: VaultOrder): Promise<number> {
    const abi = swapVaultAbi;
    return this.#send(encodeFunctionData({ abi, functionName: 'refund', args: [order] }));
  }

  /** Leaves tokens in escrow, as a vault in use always has. */
  async warmEscrow(trader: Trader): Promise<void> {
    await this.requestFor([this.order(trader, { isBuy: false })]);
  }

  /** Contracts of both sides of a market that is not settled, for the account or its owner. */
  async buyPairs(trader: Trader, receiver: Hex = trader.account): Promise<void> {
    await this.#chain.attest([OPEN_MARKET.ticker, 'yes'], [OPEN_MARKET.ticker, 'no']);
    for (const outcome of [0, 1]) {
      const common = { ...this.order(trader, { isBuy: true }), marketKey: OPEN_MARKET.key };
      const placed = { ...common, receiver, outcome };
      await this.requestFor([placed]);
      await this.fill(placed, placed.quantity, placed.quoteLimit);
    }
  }

  #requestCalls(order: VaultOrder): SignedCall[] {
    const { usdc, swapVault } = this.#chain.contracts;
    const approve = [swapVault, order.quoteLimit] as const;
    const [abi, functionName] = [swapVaultAbi, 'request'] as const;
    return [
      {
        to: usdc,
        data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'approve', args: approve }),
      },
      { to: swapVault, data: encodeFunctionData({ abi, functionName, args: [order] }) },
    ];
  }

  #send(data: Hex): Promise<number> {
    return this.#chain.send(this.#chain.operator, this.#chain.contracts.swapVault, data);
  }
}
