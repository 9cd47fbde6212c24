import { describe, expect, it } from 'vitest';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { orderDelayWords, orderSteps, orderSummary } from './orderView.ts';

const USDC = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const order: OrderRecordWithEvents = {
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
  status: 'pending',
  balanceValidatedAt: null,
  txnFilledAt: null,
  transactionHash: null,
  isComplete: false,
  terminationReason: null,
  source: 'api',
  accountAddress: USDC,
  userAddress: USDC,
  receiverAddress: USDC,
  filledBaseQuantity: null,
  quoteAmount: null,
  feeQuoteAmount: null,
  returnedQuoteAmount: null,
  returnedBaseQuantity: null,
  expiresAt: null,
  updatedAt: '2026-11-21T05:00:00.000Z',
  events: [],
};
const locked = { balanceValidatedAt: '2026-11-21T05:00:01.000Z' };
const filled = { ...locked, txnFilledAt: '2026-11-21T05:00:02.000Z' };

const states = (part: Partial<OrderRecordWithEvents>) =>
  orderSteps({ ...order, ...part }).map((step) => step.state);

describe('orderSteps', () => {
  it('follows the order from step to step', () => {
    expect(states({})).toEqual(['done', 'current', 'waiting', 'waiting']);
    expect(states({ status: 'validated', ...locked })).toEqual([
      'done',
      'done',
      'current',
      'waiting',
    ]);
    expect(states({ status: 'executing', ...locked })).toEqual([
      'done',
      'done',
      'current',
      'waiting',
    ]);
    expect(states({ status: 'executing', ...filled })).toEqual(['done', 'done', 'done', 'current']);
    expect(states({ status: 'completed', isComplete: true, ...filled })).toEqual(
      Array(4).fill('done'),
    );
  });

  it('shows where a failed order ended', () => {
    expect(states({ status: 'failed', isComplete: true, ...locked })).toEqual([
      'done',
      'done',
      'failed',
      'waiting',
    ]);
  });

  it('takes the time of completion from the log', () => {
    const events = [{ type: 'completed', at: '2026-11-21T05:00:09.000Z' }];
    const steps = orderSteps({ ...order, status: 'completed', isComplete: true, events });
    expect(steps[3]?.at).toBe('2026-11-21T05:00:09.000Z');
  });
});

it('puts an order into words', () => {
  expect(orderSummary(order)).toEqual({
    verb: 'Sell',
    marketId: 'RAIN',
    side: 'no',
    what: '12.5 No',
  });
});

describe('orderDelayWords', () => {
  const since = Date.parse(order.updatedAt);

  it('says nothing while it goes as usual, or is over', () => {
    expect(orderDelayWords(order, since + 5_000)).toBeUndefined();
    expect(orderDelayWords({ ...order, isComplete: true }, since + 500_000)).toBeUndefined();
  });

  it('tells who is waited for', () => {
    expect(orderDelayWords(order, since + 60_000)).toContain('by itself');
    expect(orderDelayWords({ ...order, source: 'calldata' }, since + 60_000)).toContain('wallet');
  });
});
