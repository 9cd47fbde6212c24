import { describe, expect, it } from 'vitest';
import { orderOf, type PortfolioFilter, portfolioHref } from './portfolioFilter.ts';

const usual: PortfolioFilter = {
  sort: 'value',
  order: 'desc',
  show: 'held',
  group: 'state',
  small: 'shown',
};

describe('the URL of the portfolio', () => {
  it.each<[string, Partial<PortfolioFilter>]>([
    ['/portfolio', {}],
    ['/portfolio?sort=profit', { sort: 'profit', order: 'desc' }],
    ['/portfolio?sort=name', { sort: 'name', order: 'asc' }],
    ['/portfolio?sort=name&order=desc', { sort: 'name', order: 'desc' }],
    ['/portfolio?order=asc', { order: 'asc' }],
    ['/portfolio?show=closed', { show: 'closed' }],
    ['/portfolio?group=event&small=hidden', { group: 'event', small: 'hidden' }],
  ])('is %s for non-default values', (href, change) => {
    expect(portfolioHref(usual, change)).toBe(href);
  });

  it('keeps unchanged parameters', () => {
    const current: PortfolioFilter = { ...usual, sort: 'cost', group: 'event', small: 'hidden' };
    expect(portfolioHref(current, { small: 'shown' })).toBe('/portfolio?sort=cost&group=event');
  });

  it('uses the default order of a column if none is given', () => {
    expect(orderOf('profit', undefined)).toBe('desc');
    expect(orderOf('name', undefined)).toBe('asc');
    expect(orderOf('name', 'sideways')).toBe('asc');
    expect(orderOf('value', 'asc')).toBe('asc');
  });
});
