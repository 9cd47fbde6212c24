import { expect, it } from 'vitest';
import { hasValidChecksum } from './checksum.ts';

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

it('accepts an address in one case, and in mixed case only with a valid checksum', () => {
  expect(hasValidChecksum(ADDRESS)).toBe(true);
  expect(hasValidChecksum(ADDRESS.toLowerCase())).toBe(true);
  expect(hasValidChecksum(`0x${ADDRESS.slice(2).toUpperCase()}`)).toBe(true);
  expect(hasValidChecksum(ADDRESS.replace('dc79C8', 'dc79c8'))).toBe(false);
  expect(hasValidChecksum(ADDRESS.replace('709', '708'))).toBe(false);
});
