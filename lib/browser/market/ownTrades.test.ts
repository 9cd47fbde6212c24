import { expect, it } from 'vitest';
import type { ActivityItem } from '#lib/api/schemas/activity.ts';
import { ownTrades } from './ownTrades.ts';

const bought: ActivityItem = {
  id: '0b9e4c0e-3f53-4d4e-9d53-6b1f2a0c1d2e',
  kind: 'buy',
  at: '2026-11-21T05:00:10.000Z',
  orderId: null,
  marketId: 'RAIN',
  side: 'yes',
  contracts: '10',
  usdc: '-4.5',
  transactionHash: null,
  status: 'completed',
  source: null,
  terminationReason: null,
};

it('keeps completed trades, oldest first, with what was paid or received', () => {
  const sold: ActivityItem = {
    ...bought,
    kind: 'sell',
    side: 'no',
    usdc: '6.2',
    at: '2026-11-21T05:00:00.500Z',
  };
  const pending: ActivityItem = { ...bought, status: 'pending', usdc: null };
  const redeemed: ActivityItem = { ...bought, kind: 'redeem' };
  expect(ownTrades([bought, sold, pending, redeemed])).toEqual([
    { time: 1795237200, kind: 'sold', side: 'no', text: 'You sold 10 No for $6.20' },
    { time: 1795237210, kind: 'bought', side: 'yes', text: 'You bought 10 Yes for $4.50' },
  ]);
});
