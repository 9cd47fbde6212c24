import { expect, test } from 'vitest';
import { sideToSell } from './sideToSell.ts';

const yes = { side: 'yes' } as const;
const no = { side: 'no' } as const;

test('given one held side, a sale starts with it', () => {
  expect(sideToSell([no], 'yes')).toBe('no');
  expect(sideToSell([yes], 'yes')).toBe('yes');
});

test('given both sides or none, a sale starts with the one in view', () => {
  expect(sideToSell([yes, no], 'no')).toBe('no');
  expect(sideToSell([], 'no')).toBe('no');
});
