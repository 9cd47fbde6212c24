import { expect, test } from 'vitest';
import { isWellFormedPath, originForm } from './requestTarget.ts';

test.each([
  ['/markets/RAIN?side=yes', '/markets/RAIN?side=yes'],
  ['/', '/'],
  ['//evil.example', '//evil.example'],
  ['http://localhost:3000/markets?a=b', '/markets?a=b'],
  ['HTTPS://evil.example/v1/status', '/v1/status'],
  ['http://localhost:3000', '/'],
  ['*', undefined],
  ['', undefined],
  ['markets', undefined],
  ['localhost:443', undefined],
  ['ftp://localhost/x', undefined],
  ['http://[/x', undefined],
])('%s asks for %s', (target, expected) => {
  expect(originForm(target)).toBe(expected);
});

test.each([
  ['/markets/RAIN', true],
  ['/markets/caf%C3%A9%2Fau%20lait', true],
  ['/markets/%ff', false],
  ['/markets/%', false],
  ['/markets/%zz', false],
  ['/markets/%c0%80', false],
  ['/markets/%ed%a0%80', false],
  ['/markets/a%00', false],
])('%s can name a page: %s', (path, expected) => {
  expect(isWellFormedPath(path)).toBe(expected);
});
