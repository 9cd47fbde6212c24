import { expect, it } from 'vitest';
import { hasFittingCase } from './checksum.ts';

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

it('takes an address in one case, and in mixed case only with its own capitals', () => {
  expect(hasFittingCase(ADDRESS)).toBe(true);
  expect(hasFittingCase(ADDRESS.toLowerCase())).toBe(true);
  expect(hasFittingCase(`0x${ADDRESS.slice(2).toUpperCase()}`)).toBe(true);
  expect(hasFittingCase(ADDRESS.replace('dc79C8', 'dc79c8'))).toBe(false);
  expect(hasFittingCase(ADDRESS.replace('709', '708'))).toBe(false);
});
