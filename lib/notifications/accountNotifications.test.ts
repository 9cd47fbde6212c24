import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../api/schemas/activity.ts';
import type { Market } from '../api/schemas/market.ts';
import type { OrderRecord } from '../api/schemas/order.ts';
import type { PortfolioEntry } from '../api/schemas/portfolio.ts';
import type { PriceAlert } from '../api/schemas/priceAlert.ts';
import { portfolioEntry } from '../portfolio/testing/portfolioEntry.ts';
import { accountNotifications, type NotificationSources } from './accountNotifications.ts';

const NOW = '2026-11-21T12:00:00.000Z';
const nothing: NotificationSources = {
  activity: [],
  orders: [],
  portfolio: [],
  watched: [],
  alerts: [],
  nowMs: Date.parse(NOW),
};
const ORDER = '0b9e4c0e-3f53-4d4e-9d53-6b1f2a0c1d2e';

function activity(part: Partial<ActivityItem>): ActivityItem {
  return {
    id: 'a',
    kind: 'buy',
    at: '2026-11-21T11:00:00.000Z',
    orderId: ORDER,
    marketId: 'RAIN',
    side: 'yes',
    contracts: '3',
    fee: null,
    usdc: '-1.83',
    transactionHash: null,
    status: 'completed',
    source: null,
    terminationReason: null,
    trigger: null,
    limitPrice: null,
    restingSince: null,
    replacedBy: null,
    ...part,
  };
}

function order(baseQuantity: string, part: Partial<OrderRecord> = {}): OrderRecord {
  return {
    id: ORDER,
    action: { orderType: 'MarketOrder', order: { baseQuantity } },
    returnedQuoteAmount: null,
    returnedBaseQuantity: null,
    ...part,
  } as unknown as OrderRecord;
}

function held(
  market: Partial<PortfolioEntry['venueMarket']>,
  redeemableAmount: string | null = null,
): PortfolioEntry {
  return portfolioEntry({
    item: { amount: '5', redeemableAmount },
    tokenId: '7',
    market: { side: 'no', name: 'Rain?', settledAt: NOW, ...market },
  });
}

function watched(ticker: string, expectedEndTime: string, part: Partial<Market> = {}): Market {
  return {
    ticker,
    eventTicker: 'EV',
    title: 'Rain?',
    status: 'open',
    expectedEndTime,
    ...part,
  } as Market;
}

const news = (part: Partial<NotificationSources>) => accountNotifications({ ...nothing, ...part });
const only = (item: Partial<ActivityItem>, orders: OrderRecord[] = []) =>
  news({ activity: [activity(item)], orders })[0];

describe('accountNotifications', () => {
  it('given a trade, links to its order', () => {
    expect(only({}, [order('3')])).toMatchObject({
      kind: 'filled',
      title: 'Bought 3 Yes',
      detail: 'for $1.83',
      href: `/orders/${ORDER}`,
      market: { ticker: 'RAIN' },
    });
    expect(only({ kind: 'sell', side: 'no', usdc: '1.2' })).toMatchObject({
      title: 'Sold 3 No',
      detail: 'for $1.20',
    });
  });

  it('given a partial fill, says so', () => {
    expect(only({}, [order('10')])).toMatchObject({
      kind: 'returned',
      title: 'Bought 3 of 10 Yes',
      detail: 'for $1.83; the rest was returned',
    });
    expect(only({}, [order('10', { replacedBy: 'another' })])).toMatchObject({
      kind: 'filled',
      detail: 'for $1.83; another order replaces the rest',
    });
  });

  it('given a failed order, says what was returned', () => {
    const failed = { status: 'failed', usdc: null } as const;
    expect(only(failed, [order('3', { returnedQuoteAmount: '1.98' })])).toMatchObject({
      kind: 'returned',
      title: 'Buy 3 Yes failed',
      detail: '$1.98 returned',
    });
    const sale = [order('3', { returnedBaseQuantity: '3' })];
    expect(only({ ...failed, kind: 'sell' }, sale)?.detail).toBe('3 contracts returned');
    expect(only(failed)).toMatchObject({ kind: 'failed', detail: '' });
  });

  it('given a cancelled order, says nothing unless funds moved', () => {
    const taken = {
      status: 'failed',
      usdc: null,
      source: 'calldata',
      terminationReason: 'cancelled',
    } as const;
    expect(only(taken, [order('3')])).toBeUndefined();
    expect(only(taken)).toBeUndefined();
    expect(only({ ...taken, source: 'api' })).toMatchObject({ title: 'Buy 3 Yes cancelled' });
    expect(only({ ...taken, source: 'api', replacedBy: 'another' })).toBeUndefined();
    const late = [order('3', { returnedQuoteAmount: '1.98' })];
    expect(only(taken, late)?.detail).toBe('$1.98 returned');
  });

  it('given open orders, says nothing', () => {
    for (const status of ['pending', 'validated', 'executing'] as const) {
      expect(only({ status })).toBeUndefined();
    }
  });

  it('given deposits, withdrawals and transfers, says what moved', () => {
    const money = { marketId: null, side: null, contracts: null, orderId: null };
    expect(only({ ...money, kind: 'deposit', usdc: '100' })).toMatchObject({
      kind: 'arrived',
      title: '$100.00 received',
      href: '/activity',
      market: undefined,
    });
    expect(only({ ...money, kind: 'withdrawal', usdc: '-25' })?.title).toBe('Withdrawal of $25.00');
    expect(only({ kind: 'redeem', usdc: '3' })).toMatchObject({
      title: 'Redeemed 3 Yes',
      detail: 'for $3.00',
    });
    expect(only({ kind: 'merge', side: null, orderId: null, usdc: '3' })).toMatchObject({
      title: 'Merged 3 pairs',
      detail: 'into $3.00',
      href: '/activity',
    });
    expect(only({ kind: 'transfer_in', orderId: null, usdc: null })).toMatchObject({
      title: 'Received 3 Yes',
      href: '/portfolio',
    });
  });

  it('given a result, appears once it pays or is lost', () => {
    const won = { payoutDollars: '1.0000' };
    expect(news({ portfolio: [held(won, '5')] })).toMatchObject([
      { kind: 'won', detail: 'resolved; $5.00 to redeem', href: '/portfolio' },
    ]);
    expect(news({ portfolio: [held(won)] })).toEqual([]);
    expect(news({ portfolio: [held({ payoutDollars: '0.0000' })] })).toMatchObject([
      { kind: 'lost', title: 'Your 5 No', href: '/markets/RAIN' },
    ]);
    expect(news({ portfolio: [held({ settledAt: null, payoutDollars: null })] })).toEqual([]);
  });

  it('given a watched event, shows its next close within a day', () => {
    const closing = (...list: Market[]) => news({ watched: list }).map((item) => item.closesAt);
    const upcoming = '2026-11-21T15:00:00.000Z';
    const later = '2026-11-21T20:00:00.000Z';
    expect(closing(watched('A', later), watched('B', upcoming))).toEqual([upcoming]);
    expect(closing(watched('A', upcoming), watched('B', later, { eventTicker: 'X' }))).toHaveLength(
      2,
    );
    expect(closing(watched('A', '2026-11-22T12:00:01.000Z'))).toEqual([]);
    expect(closing(watched('A', '2026-11-21T11:59:59.000Z'))).toEqual([]);
    expect(closing(watched('A', upcoming, { status: 'paused' }))).toEqual([]);
  });

  it('given price alerts, shows those that have fired', () => {
    const waiting: PriceAlert = {
      id: 'pa_1',
      ticker: 'RAIN',
      side: 'yes',
      price: '0.4',
      direction: 'below',
      source: 'bid',
      status: 'waiting',
      createdAt: NOW,
      expiresAt: null,
      triggeredAt: null,
      triggeredPrice: null,
    };
    const fired = { status: 'triggered', triggeredAt: NOW, triggeredPrice: '0.39' } as const;
    expect(news({ alerts: [waiting] })).toEqual([]);
    expect(news({ alerts: [{ ...waiting, ...fired }] })).toMatchObject([
      { kind: 'alert', title: 'Yes bid fell to 39¢', href: '/markets/RAIN' },
    ]);
  });

  it('sorts newest first with stable ids', () => {
    const old = activity({ orderId: null, id: 'old', at: '2026-11-20T00:00:00.000Z' });
    const sources = { activity: [old, activity({})], portfolio: [held({ payoutDollars: '0' })] };
    const ids = news(sources).map(({ id }) => id);
    expect(ids).toEqual(['lost:7', `${ORDER}:completed`, 'old:completed']);
    expect(news(sources).map(({ id }) => id)).toEqual(ids);
  });
});
