import type { NewVaultEvent } from '#server/chain/vaultLogs.ts';
import { type LedgerLine, type LedgerPosting, move, tokenAsset } from '../../ledger/ledger.ts';
import type { OrderRow, TradeOrder } from './orderRow.ts';

/**
 * Ledger postings of orders. Pure, so that the steps that post them and the reconciliation that
 * checks them agree.
 */

type Amounts = Pick<
  NewVaultEvent,
  'filledContractMicros' | 'quoteUsdcMicros' | 'filledTotalMicros' | 'quoteTotalMicros'
>;

export function linesOfEvent(
  order: TradeOrder,
  event: Amounts & Pick<NewVaultEvent, 'kind' | 'returnedMicros'>,
): LedgerLine[] {
  switch (event.kind) {
    case 'requested':
      return lockPosting(order).lines;
    case 'partially_filled':
      return partPosting(order, event).lines;
    case 'filled':
      return deliveryPosting(order, event).lines;
    case 'end_requested':
      return [];
    case 'refunded':
      return refundPosting(order, event.returnedMicros ?? 0n).lines;
  }
}

/** `OrderRequested`: the input is in the vault. */
export function lockPosting(order: TradeOrder): LedgerPosting {
  const user = `user:${order.accountId}` as const;
  const lines =
    order.tradeAction === 'buy'
      ? move('usdc', user, 'escrow', order.quoteLimitUsdcMicros)
      : move(tokenAsset(order.ticker, order.side), user, 'escrow', order.contractMicros);
  return { name: 'lock', lines };
}

/**
 * `OrderFilled`: the output is with the receiver, the rest of the input with the account. What
 * earlier parts moved has its own postings.
 */
export function deliveryPosting(order: TradeOrder, filled: Amounts): LedgerPosting {
  const user = `user:${order.accountId}` as const;
  const rest =
    order.tradeAction === 'buy'
      ? move('usdc', 'escrow', user, order.quoteLimitUsdcMicros - quoteTotalOf(filled))
      : move(
          tokenAsset(order.ticker, order.side),
          'escrow',
          user,
          order.contractMicros - filledTotalOf(filled),
        );
  return { name: 'deliver', lines: [...deliveredLines(order, filled), ...rest] };
}

const filledTotalOf = (filled: Amounts) =>
  filled.filledTotalMicros ?? filled.filledContractMicros ?? 0n;
const quoteTotalOf = (filled: Amounts) => filled.quoteTotalMicros ?? filled.quoteUsdcMicros ?? 0n;

/** `OrderPartiallyFilled`: this part of the output is with the receiver. */
export function partPosting(order: TradeOrder, filled: Amounts): LedgerPosting {
  return { name: `deliver-${filledTotalOf(filled)}`, lines: deliveredLines(order, filled) };
}

function deliveredLines(order: TradeOrder, filled: Amounts): LedgerLine[] {
  const asset = tokenAsset(order.ticker, order.side);
  const contracts = filled.filledContractMicros ?? 0n;
  const quote = filled.quoteUsdcMicros ?? 0n;
  const receiver = `user:${order.receiverAddress}` as const;
  return order.tradeAction === 'buy'
    ? [...move('usdc', 'escrow', 'house', quote), ...move(asset, 'treasury', receiver, contracts)]
    : [...move(asset, 'escrow', 'treasury', contracts), ...move('usdc', 'house', receiver, quote)];
}

/** `OrderRefunded`: the input is back with the account. */
export function refundPosting(order: TradeOrder, returnedMicros: bigint): LedgerPosting {
  const asset = order.tradeAction === 'buy' ? 'usdc' : tokenAsset(order.ticker, order.side);
  const lines = move(asset, 'escrow', `user:${order.accountId}`, returnedMicros);
  return { name: 'refund', lines };
}

/** `Withdrawn`: the funds are at the destination. */
export function withdrawalPosting(order: OrderRow): LedgerPosting {
  const { ticker, side, accountId, destinationAddress } = order;
  const asset = ticker !== null && side !== null ? tokenAsset(ticker, side) : 'usdc';
  const amountMicros = order.withdrawMicros ?? 0n;
  const lines = move(asset, `user:${accountId}`, `user:${destinationAddress}`, amountMicros);
  return { name: 'withdraw', lines };
}

export function exchangeLines(
  { ticker, side }: Pick<TradeOrder, 'ticker' | 'side'>,
  action: TradeOrder['tradeAction'],
  { contractMicros, usdcMicros }: { contractMicros: bigint; usdcMicros: bigint },
): LedgerLine[] {
  const [payer, seller] =
    action === 'buy' ? (['treasury', 'exchange'] as const) : (['exchange', 'treasury'] as const);
  return [
    ...move('usdc', payer, seller, usdcMicros),
    ...move(tokenAsset(ticker, side), seller, payer, contractMicros),
  ];
}
