import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { orderKeys } from '../queries/orders.ts';
import { followOrderUpdates } from './orderUpdates.ts';

it('reports each step of an order once, and none from before the page opened', () => {
  const cache = new QueryClient();
  const news: string[] = [];
  const stop = followOrderUpdates(cache, (order) => news.push(`${order.id} ${order.status}`));
  const order = { id: 'o', status: 'pending' };
  const list = (status: string) => ({
    orders: [
      { ...order, status },
      { id: 'old', status: 'completed' },
    ],
    cursor: '',
  });
  cache.setQueryData(orderKeys.list({}), list('pending'));
  cache.setQueryData(orderKeys.list({}), list('validated'));
  cache.setQueryData(orderKeys.detail('o'), { ...order, status: 'validated' });
  cache.setQueryData(orderKeys.pages({}), { pages: [list('completed')], pageParams: [''] });
  cache.setQueryData(orderKeys.list({}), list('completed'));
  cache.setQueryData(['markets'], { id: 'm', status: 'open' });
  expect(news).toEqual(['o validated', 'o completed']);
  stop();
  cache.setQueryData(orderKeys.list({}), list('failed'));
  expect(news).toHaveLength(2);
});

it('given an order that fills in parts, reports each of them once', () => {
  const cache = new QueryClient();
  const news: (string | null)[] = [];
  followOrderUpdates(cache, (order) => news.push(order.filledBaseQuantity));
  const order = { id: 'o', status: 'executing' };
  for (const filledBaseQuantity of [null, '12', '12', '40']) {
    cache.setQueryData(orderKeys.list({}), {
      orders: [{ ...order, filledBaseQuantity }],
      cursor: '',
    });
  }
  expect(news).toEqual(['12', '40']);
});

it('given an order that begins to rest, reports it', () => {
  const cache = new QueryClient();
  const news: (string | null)[] = [];
  followOrderUpdates(cache, (order) => news.push(order.restingSince));
  for (const restingSince of [null, '2026-11-21T05:00:00.000Z']) {
    const order = { id: 'o', status: 'executing', restingSince, filledBaseQuantity: null };
    cache.setQueryData(orderKeys.list({}), { orders: [order], cursor: '' });
  }
  expect(news).toEqual(['2026-11-21T05:00:00.000Z']);
});

it('given an order first seen after its end, reports it only if it ended since the page opened', () => {
  const cache = new QueryClient();
  const news: string[] = [];
  const openedMs = Date.now() - 120_000;
  followOrderUpdates(cache, (order) => news.push(order.id), openedMs);
  const ended = (id: string, agoMs: number, isComplete = true) => ({
    id,
    status: isComplete ? 'completed' : 'validated',
    isComplete,
    updatedAt: new Date(Date.now() - agoMs).toISOString(),
  });
  const orders = [
    ended('now', 1_000),
    ended('under way', 1_000, false),
    ended('before a while', 90_000),
    ended('before the page', 150_000),
  ];
  cache.setQueryData(orderKeys.list({}), { orders, cursor: '' });
  cache.setQueryData(orderKeys.pages({}), { pages: [{ orders, cursor: '' }], pageParams: [''] });
  expect(news).toEqual(['now']);
});

it('given an order cancelled by its owner before submission, reports nothing', () => {
  const cache = new QueryClient();
  const news: string[] = [];
  followOrderUpdates(cache, (order) => news.push(order.id));
  const list = (status: string, terminationReason: string | null) => ({
    orders: ['api', 'calldata'].map((source) => ({
      id: source,
      status,
      source,
      terminationReason,
    })),
    cursor: '',
  });
  cache.setQueryData(orderKeys.list({}), list('pending', null));
  cache.setQueryData(orderKeys.list({}), list('failed', 'cancelled'));
  expect(news).toEqual(['api']);
});
