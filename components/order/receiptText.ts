import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { type OrderSummary, statusWords } from './orderView.ts';
import { receiptRows, rounded } from './receiptRows.ts';

/** @param market the outcome and the question, once known */
export function receiptText(
  order: OrderRecord,
  { verb, what, marketId }: OrderSummary,
  market?: { outcome: string | undefined; question: string },
): string {
  const lines = [
    `${verb} ${what}`,
    market ? [market.outcome, market.question].filter(Boolean).join(' · ') : marketId,
    `${statusWords(order)}, ${order.updatedAt}`,
    ...receiptRows(order).map((row) => `${row.label}: ${rounded(row)}`),
    order.action.orderType === 'Withdraw'
      ? `To: ${order.action.withdrawal.destinationAddress}`
      : undefined,
    order.transactionHash === null ? undefined : `Transaction on Base: ${order.transactionHash}`,
    `Smart account: ${order.accountAddress}`,
    `Crossbook order: ${order.id}`,
  ];
  return lines.filter((one) => one !== undefined).join('\n');
}
