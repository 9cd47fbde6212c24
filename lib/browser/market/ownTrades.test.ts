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
  fee: '0.2',
  transactionHash: null,
  status: 'completed',
  source: null,
  terminationReason: null,
  trigger: null,
  limitPrice: null,
  restingSince: null,
  replacedBy: null,
};

it('given completed trades, lists them oldest first at their price without fee, that of No as one of Yes', () => {
  const sold: ActivityItem = {
    ...bought,
    kind: 'sell',
    side: 'no',
    usdc: '6.2',
    fee: '0.1',
    at: '2026-11-21T05:00:00.500Z',
  };
  const pending: ActivityItem = { ...bought, status: 'pending', usdc: null };
  const redeemed: ActivityItem = { ...bought, kind: 'redeem' };
  expect(ownTrades([bought, sold, pending, redeemed])).toEqual([
    {
      time: 1795237200,
      kind: 'sold',
      side: 'no',
      text: 'Sold 10 No at 63¢',
      yesPriceMicros: 370_000n,
    },
    {
      time: 1795237210,
      kind: 'bought',
      side: 'yes',
      text: 'Bought 10 Yes at 43¢',
      yesPriceMicros: 430_000n,
    },
  ]);
});
