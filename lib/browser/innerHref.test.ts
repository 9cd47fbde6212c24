// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { innerHref, keepsPlace } from './innerHref.ts';

let seen: (string | undefined)[] = [];
const look = (event: MouseEvent) => {
  seen.push(innerHref(event));
  event.preventDefault();
};

beforeEach(() => {
  seen = [];
  window.location.href = 'http://crossbook.test/portfolio?show=held';
  window.addEventListener('click', look);
});

afterEach(() => {
  window.removeEventListener('click', look);
  document.body.innerHTML = '';
});

/** What a click on the innermost element of this page leads to. */
function clicked(html: string, init: MouseEventInit = {}): string | undefined {
  document.body.innerHTML = html;
  let target = document.body.firstElementChild;
  while (target?.firstElementChild) target = target.firstElementChild;
  target?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...init }));
  return seen[0];
}

describe('a click on a link', () => {
  test('to another page leads there, also from within', () => {
    expect(clicked('<a href="/markets/A?side=yes"><b>Yes</b></a>')).toBe('/markets/A?side=yes');
  });

  test('to this very page leads there again', () => {
    expect(clicked('<a href="/portfolio?show=held">x</a>')).toBe('/portfolio?show=held');
  });

  test.each([
    ['another site', '<a href="https://elsewhere.test/">x</a>'],
    ['a place on this page', '<a href="#main">x</a>'],
    ['an answer of the interface', '<a href="/v1/status">x</a>'],
    ['a file', '<a href="/offline.html">x</a>'],
    ['another tab', '<a href="/orders" target="_blank">x</a>'],
    ['something to keep', '<a href="/orders" download>x</a>'],
    ['nowhere', '<a>x</a>'],
  ])('to %s is the browser\u2019s', (_, html) => {
    expect(clicked(html)).toBeUndefined();
  });

  test.each(['metaKey', 'ctrlKey', 'shiftKey', 'altKey'] as const)(
    'with %s is the browser\u2019s',
    (key) => {
      expect(clicked('<a href="/orders">x</a>', { [key]: true })).toBeUndefined();
    },
  );

  test('with another button is the browser\u2019s', () => {
    expect(clicked('<a href="/orders">x</a>', { button: 1 })).toBeUndefined();
  });

  test('that something else has dealt with is done', () => {
    const deal = (event: Event) => event.preventDefault();
    document.body.addEventListener('click', deal);
    expect(clicked('<a href="/search">x</a>')).toBeUndefined();
    document.body.removeEventListener('click', deal);
  });
});

test('a click beside a link leads nowhere', () => {
  expect(clicked('<p>x</p>')).toBeUndefined();
});

test.each([
  ['<p data-keeps-place><a href="/portfolio?sort=name"><b>Market</b></a></p>', true],
  ['<p><a href="/portfolio?sort=name"><b>Market</b></a></p>', false],
])('a click in %s keeps the place: %s', (html, expected) => {
  const kept: boolean[] = [];
  const listen = (event: MouseEvent) => kept.push(keepsPlace(event));
  window.addEventListener('click', listen);
  clicked(html);
  window.removeEventListener('click', listen);
  expect(kept).toEqual([expected]);
});
