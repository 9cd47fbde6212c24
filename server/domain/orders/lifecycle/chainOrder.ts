import type { Address, Hex } from 'viem';
import { marketKeyOf, OUTCOME_INDEX } from '#lib/outcomeToken.ts';
import { saltOf, type VaultOrder } from '#server/chain/vaultOrder.ts';
import type { OrderRow } from './lease.ts';

/** The fields that every order except a withdrawal has. */
export type TradeOrder = OrderRow & {
  ticker: string;
  side: 'yes' | 'no';
  tradeAction: 'buy' | 'sell';
  contractMicros: bigint;
  quoteLimitUsdcMicros: bigint;
  receiverAddress: string;
  expiresAt: Date;
  clientRef: string;
  /** Empty for a redemption, which has no id in the vault. */
  chainOrderId: string;
};

/** Narrows a row to a trade. A row without its fields is a bug, so it throws. */
export function asTradeOrder(order: OrderRow): TradeOrder {
  const needed = [
    order.ticker,
    order.side,
    order.tradeAction,
    order.contractMicros,
    order.quoteLimitUsdcMicros,
    order.receiverAddress,
    order.expiresAt,
    order.clientRef,
    order.isRedemption ? '' : order.chainOrderId,
  ];
  if (needed.some((value) => value === null)) {
    throw new TypeError(`intent ${order.id} is not an order`);
  }
  return { ...order, chainOrderId: order.chainOrderId ?? '' } as TradeOrder;
}

/** The order as the vault hashes it. */
export function vaultOrderOf(order: {
  id: string;
  accountId: string;
  receiverAddress: string;
  ticker: string;
  side: 'yes' | 'no';
  tradeAction: 'buy' | 'sell';
  contractMicros: bigint;
  quoteLimitUsdcMicros: bigint;
  expiresAt: Date;
  clientRef: string;
}): VaultOrder {
  return {
    account: order.accountId as Address,
    receiver: order.receiverAddress as Address,
    marketKey: marketKeyOf(order.ticker),
    outcome: OUTCOME_INDEX[order.side],
    isBuy: order.tradeAction === 'buy',
    quantity: order.contractMicros,
    quoteLimit: order.quoteLimitUsdcMicros,
    expiry: BigInt(Math.floor(order.expiresAt.getTime() / 1000)),
    clientRef: order.clientRef as Hex,
    salt: saltOf(order.id),
  };
}
