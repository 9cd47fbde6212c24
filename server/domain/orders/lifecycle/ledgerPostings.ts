import { type LedgerAsset, type LedgerPosting, move, tokenAsset } from '../../ledger/ledger.ts';
import type { TradeOrder } from './chainOrder.ts';
import type { OrderRow } from './lease.ts';

/**
 * Ledger postings for the chain's events about an order. Pure, so that the steps that post them and
 * the reconciliation that checks them agree.
 */

type Amounts = { filledContractMicros: bigint | null; quoteUsdcMicros: bigint | null };

/** `OrderRequested`: the input is in the vault. */
export function lockPosting(order: TradeOrder): LedgerPosting {
  const user = `user:${order.accountId}` as const;
  const lines =
    order.tradeAction === 'buy'
      ? move('usdc', user, 'escrow', order.quoteLimitUsdcMicros)
      : move(tokenAsset(order.ticker, order.side), user, 'escrow', order.contractMicros);
  return { name: 'lock', lines };
}

/** `OrderFilled`: the output is with the receiver, the rest of the input with the account. */
export function deliveryPosting(order: TradeOrder, filled: Amounts): LedgerPosting {
  const asset = tokenAsset(order.ticker, order.side);
  const contracts = filled.filledContractMicros ?? 0n;
  const quote = filled.quoteUsdcMicros ?? 0n;
  const user = `user:${order.accountId}` as const;
  const receiver = `user:${order.receiverAddress}` as const;
  const lines =
    order.tradeAction === 'buy'
      ? [
          ...move('usdc', 'escrow', 'house', quote),
          ...move('usdc', 'escrow', user, order.quoteLimitUsdcMicros - quote),
          ...move(asset, 'treasury', receiver, contracts),
        ]
      : [
          ...move(asset, 'escrow', 'treasury', contracts),
          ...move(asset, 'escrow', user, order.contractMicros - contracts),
          ...move('usdc', 'house', receiver, quote),
        ];
  return { name: 'deliver', lines };
}

/** `OrderRefunded`: the input is back with the account. */
export function refundPosting(order: TradeOrder, returnedMicros: bigint): LedgerPosting {
  const asset = order.tradeAction === 'buy' ? 'usdc' : tokenAsset(order.ticker, order.side);
  return {
    name: 'refund',
    lines: move(asset, 'escrow', `user:${order.accountId}`, returnedMicros),
  };
}

/** `Withdrawn`: the funds are at the destination. */
export function withdrawalPosting(order: OrderRow): LedgerPosting {
  return {
    name: 'withdraw',
    lines: move(
      withdrawnAsset(order),
      `user:${order.accountId}`,
      `user:${order.destinationAddress}`,
      order.withdrawMicros ?? 0n,
    ),
  };
}

function withdrawnAsset(order: OrderRow): LedgerAsset {
  return order.ticker !== null && order.side !== null
    ? tokenAsset(order.ticker, order.side)
    : 'usdc';
}
