import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { orderKeys } from '../api/queries/orders.ts';
import { followOrderNews } from './orderNews.ts';

it('tells each step of an order once, wherever it was seen, and nothing of what was there', () => {
  const cache = new QueryClient();
  const news: string[] = [];
  const stop = followOrderNews(cache, (order) => news.push(`${order.id} ${order.status}`));
  const order = { id: 'o', status: 'pending', createdAt: '2026-11-21T05:00:02.000Z' };
  const list = (status: string) => ({
    orders: [
      { ...order, status },
      { id: 'old', status: 'completed', isComplete: true, createdAt: '2026-11-21T05:00:01.000Z' },
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

it('tells of one that was placed elsewhere and is over before it was seen, not of an old one', () => {
  const cache = new QueryClient();
  const news: string[] = [];
  followOrderNews(cache, (order) => news.push(`${order.id} ${order.status}`));
  const over = (id: string, second: number) => ({
    id,
    status: 'completed',
    isComplete: true,
    createdAt: `2026-11-21T05:00:0${second}.000Z`,
  });
  const list = (...orders: object[]) => ({ orders, cursor: '' });
  cache.setQueryData(orderKeys.list({}), list(over('known', 5)));
  cache.setQueryData(orderKeys.list({}), list(over('new', 6), over('known', 5)));
  cache.setQueryData(orderKeys.detail('old'), over('old', 4));
  expect(news).toEqual(['new completed']);
});
