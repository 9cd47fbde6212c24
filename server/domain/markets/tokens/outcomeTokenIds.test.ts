import fc from 'fast-check';
import { expect, it } from 'vitest';
import { outcomeTokenId, tokenIdHex } from '#lib/outcomeToken.ts';
import { outcomeTokenIdsHex } from './outcomeTokenIds.ts';

it('given both sides at once, matches the ids of each side alone', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (ticker) => {
      expect(outcomeTokenIdsHex(ticker)).toEqual({
        yes: tokenIdHex(outcomeTokenId(ticker, 'yes')),
        no: tokenIdHex(outcomeTokenId(ticker, 'no')),
      });
    }),
  );
});
