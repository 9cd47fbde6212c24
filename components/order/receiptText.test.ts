import { expect, test } from 'vitest';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
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

test('given a sale, lists every amount exactly', () => {
  expect(receiptText(order).split('\n')).toEqual([
    'Sell 12.5 No of RAIN',
    'Completed, 2026-11-21T05:00:03.000Z',
    'Contracts sold: 12.5',
    'Received: $5.123456',
    'Fee: $0.07',
    `Transaction on Base: ${HASH}`,
    `Smart account: ${ACCOUNT}`,
    `Crossbook order: ${order.id}`,
  ]);
});

test('given a payout, lists no fee', () => {
  const text = receiptText({ ...order, isRedemption: true, feeQuoteAmount: '0' });
  expect(text).toContain('Redeem 12.5 No of RAIN');
  expect(text).toContain('Contracts redeemed: 12.5');
  expect(text).not.toContain('Fee');
});

test('given missing amounts, omits their lines', () => {
  const none = { filledBaseQuantity: null, quoteAmount: null, feeQuoteAmount: null };
  const lines = receiptText({ ...order, ...none, status: 'failed', transactionHash: null });
  expect(lines).not.toMatch(/Contracts|Received|Fee|Transaction/);
});
