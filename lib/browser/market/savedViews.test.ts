import { expect, it } from 'vitest';
import { MAX_SAVED_VIEWS, readViews, withToggled } from './savedViews.ts';

const view = (n: number) => ({ href: `/?category=${n}`, name: `Category ${n}` });

it('puts the newest first and removes a view that is pressed again', () => {
  const two = withToggled(withToggled([], view(1)), view(2));
  expect(two).toEqual([view(2), view(1)]);
  expect(withToggled(two, view(1))).toEqual([view(2)]);
});

it('keeps at most the maximum', () => {
  const many = Array.from({ length: MAX_SAVED_VIEWS }, (_, n) => view(n));
  expect(withToggled(many, view(99))).toEqual([view(99), ...many.slice(0, -1)]);
});

it('reads only views that link to lists of this site', () => {
  expect(readViews([view(1), { href: '/search?query=rain', name: 'rain' }])).toHaveLength(2);
  for (const href of [
    'javascript:alert(1)',
    '//elsewhere/?',
    'https://elsewhere/?',
    '/withdraw',
    7,
  ]) {
    expect(readViews([{ href, name: 'trap' }])).toBeUndefined();
  }
  for (const value of [null, {}, 'text', [null], [{ href: '/?a' }], [{ name: 'no address' }]]) {
    expect(readViews(value)).toBeUndefined();
  }
});
