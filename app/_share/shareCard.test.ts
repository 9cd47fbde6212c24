import { expect, it } from 'vitest';
import { keepsContrast, truncate } from './shareCard.tsx';

it.each([
  ['Cut of 50 bps or more', 30, 'Cut of 50 bps or more'],
  ['Cut of 50 bps or more', 18, 'Cut of 50 bps or…'],
  ['Rates, in December', 8, 'Rates…'],
  ['Donaudampfschifffahrt', 10, 'Donaudamp…'],
])('%j has at most %d letters as %j', (text, length, shown) => {
  expect(truncate(text, length)).toBe(shown);
  expect(shown.length).toBeLessThanOrEqual(length);
});

it.each([
  ['#265CFF', true],
  ['#000000', true],
  ['#F2B705', false],
  ['#FFFFFF', false],
])('%s on the card: %s', (color, isVisible) => {
  expect(keepsContrast(color)).toBe(isVisible);
});
