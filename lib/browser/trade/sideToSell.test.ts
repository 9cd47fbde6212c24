import { expect, test } from 'vitest';
import { sideToSell } from './sideToSell.ts';

const yes = { side: 'yes' } as const;
const no = { side: 'no' } as const;

test('a sale begins with the side that is held', () => {
  expect(sideToSell([no], 'yes')).toBe('no');
  expect(sideToSell([yes], 'yes')).toBe('yes');
});

test('with both sides or none it stays with the one in view', () => {
  expect(sideToSell([yes, no], 'no')).toBe('no');
  expect(sideToSell([], 'no')).toBe('no');
});
