import { expect, test } from 'vitest';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { orderSummary } from './orderView.ts';
import { exact, receiptRows, rounded } from './receiptRows.ts';
import { receiptText } from './receiptText.ts';
import { ACCOUNT, soldOrder } from './testing/orders.ts';

const HASH = `0x${'ab'.repeat(32)}`;

const order: OrderRecord = {
  ...soldOrder,
  status: 'completed',
  transactionHash: HASH,
  isComplete: true,
  filledBaseQuantity: '12.5',
  quoteAmount: '5.123456',
  feeQuoteAmount: '0.07',
  updatedAt: '2026-11-21T05:00:03.000Z',
};

const textOf = (record: OrderRecord) =>
  receiptText(record, orderSummary(record), { outcome: 'Tuesday', question: 'Rain?' });

test('given a sale, lists what its page lists', () => {
  expect(textOf(order).split('\n')).toEqual([
    'Sell 12.5 No',
    'Tuesday · Rain?',
    'Completed, 2026-11-21T05:00:03.000Z',
    'Contracts sold: 12.5',
    'Avg price: 41.5¢',
    'Received: $5.12',
    'Fee, deducted: $0.07',
    'Min proceeds: $5.00',
    'Price improvement: $0.12',
    `Transaction on Base: ${HASH}`,
    `Smart account: ${ACCOUNT}`,
    `Crossbook order: ${order.id}`,
  ]);
});

test('given a rounded amount, keeps every digit on demand', () => {
  const differing = receiptRows(order).filter((row) => exact(row) !== rounded(row));
  expect(differing.map((row) => `${row.label}: ${exact(row)}`)).toEqual([
    'Avg price: 41.5476¢',
    'Received: $5.123456',
    'Price improvement: $0.123456',
  ]);
});

test('given a purchase below its limit, lists the difference as the improvement', () => {
  const { action } = order;
  if (action.orderType !== 'MarketOrder') throw new Error('The fixture is a market order.');
  const { minQuoteQuantityOut: _, ...trade } = action.order;
  const bought = {
    ...order,
    action: {
      ...action,
      order: { ...trade, orderType: 'BUY' as const, maxQuoteQuantityIn: '5.5' },
    },
  };
  const labels = receiptRows(bought).map((row) => `${row.label} ${exact(row)}`);
  expect(labels).toContain('Price improvement $0.376544');
  expect(labels).toContain('Max cost $5.50');
  const returned = receiptRows({ ...bought, returnedQuoteAmount: '0.376544' });
  expect(returned.map(({ label }) => label)).toContain('USDC returned');
  expect(returned.map(({ label }) => label)).not.toContain('Price improvement');
  const dearer = receiptRows({ ...bought, quoteAmount: '5.6' });
  expect(dearer.map(({ label }) => label)).not.toContain('Price improvement');
});

test('given a payout, lists no fee', () => {
  const text = textOf({ ...order, isRedemption: true, feeQuoteAmount: '0' });
  expect(text).toContain('Redeem 12.5 No');
  expect(text).toContain('Contracts redeemed: 12.5');
  expect(text).not.toContain('Fee');
});

test('given a part, lists what was ordered, too', () => {
  const labels = receiptRows({ ...order, filledBaseQuantity: '4' }).map(({ label }) => label);
  expect(labels.slice(0, 2)).toEqual(['Contracts ordered', 'Contracts sold']);
});

test('given missing amounts, omits their lines', () => {
  const none = { filledBaseQuantity: null, quoteAmount: null, feeQuoteAmount: null };
  const lines = textOf({ ...order, ...none, status: 'failed', transactionHash: null });
  expect(lines).not.toMatch(/sold|Received|Fee|Transaction/);
});
