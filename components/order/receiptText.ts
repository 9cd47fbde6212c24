import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { contracts, dollarsExact } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { orderSummary, statusWords } from './orderView.ts';

export function receiptText(order: OrderRecord): string {
  const { verb, what, marketId } = orderSummary(order);
  const done = verb === 'Buy' ? 'bought' : verb === 'Sell' ? 'sold' : 'redeemed';
  const lines = [
    `${verb} ${what}${marketId === undefined ? '' : ` of ${marketId}`}`,
    `${statusWords(order)}, ${order.updatedAt}`,
    line(`Contracts ${done}`, order.filledBaseQuantity, contracts),
    line(verb === 'Buy' ? 'Paid' : 'Received', order.quoteAmount, dollarsExact),
    line('Fee', order.isRedemption ? null : order.feeQuoteAmount, dollarsExact),
    order.action.orderType === 'Withdraw'
      ? `To: ${order.action.withdrawal.destinationAddress}`
      : undefined,
    order.transactionHash === null ? undefined : `Transaction on Base: ${order.transactionHash}`,
    `Smart account: ${order.accountAddress}`,
    `Crossbook order: ${order.id}`,
  ];
  return lines.filter((one) => one !== undefined).join('\n');
}

function line(
  label: string,
  amount: string | null,
  words: (micros: bigint) => string,
): string | undefined {
  return amount === null ? undefined : `${label}: ${words(parseMicros(amount))}`;
}
