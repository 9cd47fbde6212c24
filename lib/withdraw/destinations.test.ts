import { describe, expect, it } from 'vitest';
import { lookAlike } from './destinations.ts';

const KNOWN = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

describe('lookAlike', () => {
  it('finds an address that only looks like a known one', () => {
    const other = '0x7099000000000000000000000000000000079c8';
    expect(lookAlike(`${other.slice(0, 6)}${'0'.repeat(32)}79C8`, [KNOWN])).toBe(KNOWN);
  });

  it('has nothing to say of the known one itself, or of others', () => {
    expect(lookAlike(KNOWN.toLowerCase(), [KNOWN])).toBeUndefined();
    expect(lookAlike(`0x${'1'.repeat(40)}`, [KNOWN])).toBeUndefined();
  });
});
