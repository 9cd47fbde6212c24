import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { orderKeys } from '../api/queries/orders.ts';
import { followOrderNews } from './orderNews.ts';

it('tells each step of an order once, wherever it was seen, and nothing of what was there', () => {
  const cache = new QueryClient();
  const news: string[] = [];
  const stop = followOrderNews(cache, (order) => news.push(`${order.id} ${order.status}`));
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
