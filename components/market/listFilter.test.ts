import { describe, expect, it } from 'vitest';
import { listHref, NO_FILTER, NO_SEARCH, searchHref, withPages } from './listFilter.ts';

describe('addresses of lists', () => {
  it('name only what is not as usual', () => {
    expect(listHref(NO_FILTER, {})).toBe('/');
    expect(listHref(NO_FILTER, { category: 'Climate and Weather', view: 'table' })).toBe(
      '/?category=Climate+and+Weather&view=table',
    );
    expect(listHref({ ...NO_FILTER, status: 'settled', sort: 'closing' }, { status: 'open' })).toBe(
      '/?sort=closing',
    );
  });

  it('keep what was searched for', () => {
    expect(searchHref({ ...NO_SEARCH, query: 'rain & snow' }, { frequency: 'daily' })).toBe(
      '/search?query=rain+%26+snow&frequency=daily',
    );
  });

  it('say how long the list is', () => {
    expect(withPages('/', 2)).toBe('/?pages=2');
    expect(withPages('/?sort=closing', 3)).toBe('/?sort=closing&pages=3');
  });
});
