import { describe, expect, it } from 'vitest';
import {
  listHref,
  listView,
  NO_FILTER,
  NO_SEARCH,
  searchHref,
  searchView,
  withPages,
} from './listFilter.ts';

describe('addresses of lists', () => {
  it('contain only values that differ from the default', () => {
    expect(listHref(NO_FILTER, {})).toBe('/');
    expect(listHref(NO_FILTER, { category: 'Climate and Weather', view: 'table' })).toBe(
      '/?category=Climate+and+Weather&view=table',
    );
    expect(listHref({ ...NO_FILTER, status: 'settled', sort: 'closing' }, { status: 'open' })).toBe(
      '/?sort=closing',
    );
  });

  it('keep the search text', () => {
    expect(searchHref({ ...NO_SEARCH, query: 'rain & snow' }, { frequency: 'daily' })).toBe(
      '/search?query=rain+%26+snow&frequency=daily',
    );
    const exact = searchHref(
      { ...NO_SEARCH, query: 'rian' },
      { spelling: 'exact', series: 'KXRAIN' },
    );
    expect(exact).toBe('/search?query=rian&series=KXRAIN&spelling=exact');
  });

  it('contain the list length', () => {
    expect(withPages('/', 2)).toBe('/?pages=2');
    expect(withPages('/?sort=closing', 3)).toBe('/?sort=closing&pages=3');
  });

  it('are titled by values that differ from the default', () => {
    expect(listView(NO_FILTER)).toBeUndefined();
    const crypto = { ...NO_FILTER, category: 'Crypto', sort: 'closing', view: 'table' } as const;
    expect(listView(crypto)).toEqual({
      href: '/?category=Crypto&sort=closing&view=table',
      name: 'Crypto, Closing soon, Table',
    });
    expect(searchView({ ...NO_SEARCH, query: 'rain', frequency: 'daily' })).toEqual({
      href: '/search?query=rain&frequency=daily',
      name: '“rain”, Daily',
    });
  });
});
