import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { accountKeys } from '../queries/account.ts';
import { marketKeys } from '../queries/marketKeys.ts';
import { orderKeys } from '../queries/orders.ts';
import { applyEvent } from './applyEvent.ts';

const received = (name: string, data: unknown) => ({
  name,
  data: JSON.stringify(data),
  id: undefined,
});

describe('applyEvent', () => {
  it('given a price, updates the market everywhere and nothing else', () => {
    const cache = new QueryClient();
    const other = { ticker: 'B', eventTicker: 'E', yesBid: 1 };
    const before = { ticker: 'A', eventTicker: 'E', yesBid: 40 };
    const after = { ...before, yesBid: 41 };
    cache.setQueryData(marketKeys.detail('A'), { market: before });
    cache.setQueryData(marketKeys.event('E'), { event: { title: 'E', markets: [before, other] } });
    cache.setQueryData(marketKeys.list({ limit: 2 }), { markets: [other, before], cursor: '' });
    applyEvent(cache, received('market', after));
    expect(cache.getQueryData(marketKeys.detail('A'))).toEqual({ market: after });
    expect(cache.getQueryData(marketKeys.event('E'))).toEqual({
      event: { title: 'E', markets: [after, other] },
    });
    expect(cache.getQueryData(marketKeys.list({ limit: 2 }))).toMatchObject({
      markets: [other, after],
    });
    expect(cache.getQueryData(marketKeys.detail('B'))).toBeUndefined();
  });

  it('refetches book and trades only when a market moved', () => {
    const cache = new QueryClient();
    const market = { ticker: 'A', eventTicker: 'E', yesBid: 40 };
    const book = marketKeys.orderBook('A');
    cache.setQueryData(marketKeys.detail('A'), { market });
    cache.setQueryData(book, {});
    applyEvent(cache, received('market', market));
    expect(cache.getQueryState(book)?.isInvalidated).toBe(false);
    applyEvent(cache, received('market', { ...market, yesBid: 41 }));
    expect(cache.getQueryState(book)?.isInvalidated).toBe(true);
  });

  it('advances an order and appends to its log once', () => {
    const cache = new QueryClient();
    const order = { id: 'o', status: 'pending', isComplete: false };
    const event = { type: 'validated', at: '2026-11-21T05:00:01.000Z' };
    cache.setQueryData(orderKeys.detail('o'), { ...order, events: [] });
    cache.setQueryData(orderKeys.list({}), { orders: [order], cursor: '' });
    const step = received('order', { event, order: { ...order, status: 'validated' } });
    applyEvent(cache, step);
    applyEvent(cache, step);
    expect(cache.getQueryData(orderKeys.detail('o'))).toEqual({
      ...order,
      status: 'validated',
      events: [event],
    });
    expect(cache.getQueryData(orderKeys.list({}))).toMatchObject({
      orders: [{ id: 'o', status: 'validated' }],
    });
  });

  it('given a market that settles, refetches a portfolio that holds it, and only then', () => {
    const cache = new QueryClient();
    const key = accountKeys.portfolio('0xA');
    cache.setQueryData(key, [{ venueMarket: { marketId: 'A', status: 'open' } }]);
    const market = { ticker: 'A', eventTicker: 'E', status: 'open' };
    applyEvent(cache, received('market', market));
    applyEvent(cache, received('market', { ...market, ticker: 'B', status: 'settled' }));
    expect(cache.getQueryState(key)?.isInvalidated).toBe(false);
    applyEvent(cache, received('market', { ...market, status: 'settled' }));
    expect(cache.getQueryState(key)?.isInvalidated).toBe(true);
  });

  it('refetches balances after a transfer', () => {
    const cache = new QueryClient();
    cache.setQueryData(accountKeys.portfolio('0xA'), []);
    applyEvent(cache, received('account', { address: '0xA' }));
    expect(cache.getQueryState(accountKeys.portfolio('0xA'))?.isInvalidated).toBe(true);
  });
});
