import { expect, test } from 'vitest';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { receiptText } from './receiptText.ts';

const USDC = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const HASH = `0x${'ab'.repeat(32)}`;

const order: OrderRecord = {
  id: '0b9e4c0e-3f53-4d4e-9d53-6b1f2a0c1d2e',
  clientId: 'c',
  createdAt: '2026-11-21T05:00:00.000Z',
  action: {
    orderType: 'MarketOrder',
    chainId: 8453,
    order: {
      quoteToken: { type: 'chain', data: { tokenId: '0', chainId: 8453, contractAddress: USDC } },
      baseToken: { type: 'venue', data: { marketId: 'RAIN', side: 'no' } },
      orderType: 'SELL',
      baseQuantity: '12.5',
      minQuoteQuantityOut: '5',
    },
  },
  status: 'completed',
  balanceValidatedAt: '2026-11-21T05:00:01.000Z',
  txnFilledAt: '2026-11-21T05:00:02.000Z',
  transactionHash: HASH,
  isComplete: true,
  terminationReason: null,
  source: 'api',
  accountAddress: USDC,
  userAddress: USDC,
  receiverAddress: USDC,
  filledBaseQuantity: '12.5',
  quoteAmount: '5.123456',
  feeQuoteAmount: '0.07',
  returnedQuoteAmount: null,
  returnedBaseQuantity: null,
  expiresAt: null,
  updatedAt: '2026-11-21T05:00:03.000Z',
};

test('a sale names every amount to the last digit', () => {
  expect(receiptText(order).split('\n')).toEqual([
    'Sell 12.5 No of RAIN',
    'Completed, 2026-11-21T05:00:03.000Z',
    'Contracts sold: 12.5',
    'Received: $5.123456',
    'of which fee: $0.07',
    `Transaction on Base: ${HASH}`,
    `Smart account: ${USDC}`,
    `Crossbook order: ${order.id}`,
  ]);
});

test('what there was not is not named', () => {
  const none = { filledBaseQuantity: null, quoteAmount: null, feeQuoteAmount: null };
  const lines = receiptText({ ...order, ...none, status: 'failed', transactionHash: null });
  expect(lines).not.toMatch(/Contracts|Received|fee|Transaction/);
});
