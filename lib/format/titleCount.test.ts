import { expect, test } from 'vitest';
import { titleWithCount } from './titleCount.ts';

test.each([
  ['Orders · Crossbook', 1, '(1) Orders · Crossbook'],
  ['(1) Orders · Crossbook', 2, '(2) Orders · Crossbook'],
  ['(12) Orders · Crossbook', 0, 'Orders · Crossbook'],
  ['Above (5) or more?', 3, '(3) Above (5) or more?'],
  ['Above (5) or more?', 0, 'Above (5) or more?'],
])('%s with %i', (title, count, wanted) => {
  expect(titleWithCount(title, count)).toBe(wanted);
  expect(titleWithCount(titleWithCount(title, count), count)).toBe(wanted);
});
