import { expect, test } from 'vitest';
import { tokenReferenceSchema } from './tokenReference.ts';

const chainToken = (tokenId: string) => ({
  type: 'chain',
  data: { tokenId, chainId: 8453, contractAddress: `0x${'1'.repeat(40)}` },
});

test.each(['0', '', `0x${'f'.repeat(64)}`])('given the token id "%s", it is taken', (tokenId) => {
  expect(tokenReferenceSchema.safeParse(chainToken(tokenId)).success).toBe(true);
});

test.each([
  ['half of a surrogate pair', '\ud800'],
  ['NUL', '\u0000'],
  ['81 characters', '1'.repeat(81)],
])('given a token id of %s, which cannot be stored, it is refused', (_, tokenId) => {
  expect(tokenReferenceSchema.safeParse(chainToken(tokenId)).success).toBe(false);
});
