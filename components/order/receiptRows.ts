import type { OrderRecord } from '#lib/api/schemas/order.ts';
import {
  cents,
  centsRounded,
  contracts,
  contractsRounded,
  dollars,
  dollarsExact,
} from '#lib/format/money.ts';
import { minMicros, parseMicros } from '#lib/money.ts';
import { orderFigures } from './orderFigures.ts';

export type ReceiptRow = {
  label: string;
  micros: bigint;
  unit: 'usdc' | 'contracts' | 'price';
  strong?: boolean;
};

const ROUNDED = { usdc: dollars, contracts: contractsRounded, price: centsRounded };
const EXACT = { usdc: dollarsExact, contracts, price: cents };

/** As people read it, the same on every page. */
export function rounded({ micros, unit }: ReceiptRow): string {
  return ROUNDED[unit](micros);
}

export function exact({ micros, unit }: ReceiptRow): string {
  return EXACT[unit](micros);
}

/** The amounts of an order, as far as they are known. */
export function receiptRows(order: OrderRecord): ReceiptRow[] {
  const { action } = order;
  if (action.orderType === 'Withdraw') {
    const { amount, tokenType } = action.withdrawal;
    return tokenType === 'erc20'
      ? row('Amount', 'usdc', amount, true)
      : row('Contracts', 'contracts', amount, true);
  }
  return order.isRedemption ? redemptionRows(order) : tradeRows(order, action.order);
}

type Trade = Extract<OrderRecord['action'], { orderType: 'MarketOrder' | 'LimitOrder' }>['order'];

/** A payout has neither price limit nor fee: the result determines the value of each token. */
function redemptionRows(order: OrderRecord): ReceiptRow[] {
  return [
    ...row('Contracts redeemed', 'contracts', order.filledBaseQuantity),
    ...row('Received', 'usdc', order.quoteAmount, true),
  ];
}

function tradeRows(order: OrderRecord, trade: Trade): ReceiptRow[] {
  const isBuy = trade.orderType === 'BUY';
  const limit = isBuy ? trade.maxQuoteQuantityIn : trade.minQuoteQuantityOut;
  const { averageMicros } = orderFigures(order);
  // What came back is the same as the improvement of a purchase.
  const returned = order.isComplete
    ? [
        ...row('USDC returned', 'usdc', order.returnedQuoteAmount),
        ...row('Contracts returned', 'contracts', order.returnedBaseQuantity),
      ].filter(({ micros }) => micros > 0n)
    : [];
  const isAmount = 'sizedBy' in trade && trade.sizedBy === 'maxQuoteQuantityIn';
  const isWhole = order.filledBaseQuantity === trade.baseQuantity;
  const [done, paid] = isBuy ? ['Contracts bought', 'Paid'] : ['Contracts sold', 'Received'];
  return [
    ...(isAmount || isWhole ? [] : row('Contracts ordered', 'contracts', trade.baseQuantity)),
    ...row(done, 'contracts', order.filledBaseQuantity, true),
    ...(order.isComplete ? [] : row('Contracts left', 'contracts', order.remainingBaseQuantity)),
    ...row('Trigger price', 'price', order.trigger?.price ?? null),
    ...row('Triggered at price', 'price', order.trigger?.seenPrice ?? null),
    ...row('Limit price', 'price', order.limitPrice),
    ...(averageMicros === undefined
      ? []
      : [{ label: 'Avg price', micros: averageMicros, unit: 'price' as const }]),
    ...row(paid, 'usdc', order.quoteAmount, true),
    ...row(isBuy ? 'Fee, included' : 'Fee, deducted', 'usdc', order.feeQuoteAmount),
    ...row(isBuy ? 'Max cost' : 'Min proceeds', 'usdc', limit ?? null),
    ...(returned.length > 0 ? returned : improvement(order, trade, limit)),
  ];
}

/** The improvement over the price limit; only for an order that was filled completely. */
function improvement(order: OrderRecord, trade: Trade, limit: string | undefined): ReceiptRow[] {
  if (!order.quoteAmount || limit === undefined) return [];
  if (order.filledBaseQuantity !== trade.baseQuantity) return [];
  const [from, to] =
    trade.orderType === 'BUY' ? [order.quoteAmount, limit] : [limit, order.quoteAmount];
  const micros = parseMicros(to) - minMicros(parseMicros(from), parseMicros(to));
  return micros > 0n ? [{ label: 'Price improvement', micros, unit: 'usdc' }] : [];
}

function row(
  label: string,
  unit: ReceiptRow['unit'],
  amount: string | null,
  strong = false,
): ReceiptRow[] {
  return amount === null ? [] : [{ label, micros: parseMicros(amount), unit, strong }];
}
