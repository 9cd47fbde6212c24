import { describe, expect, it } from 'vitest';
import { listHref, NO_FILTER, NO_SEARCH, searchHref, withCursor } from './listFilter.ts';

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

  it('lead on to the next page', () => {
    expect(withCursor('/', 'a b')).toBe('/?cursor=a%20b');
    expect(withCursor('/?sort=closing', 'x')).toBe('/?sort=closing&cursor=x');
  });
});
