import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEcdsaSignature, toPlainBytes, withLowS } from './ecdsaSignature.ts';

const N = 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141n;
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

test('DER and plain bytes of the same signature are read alike', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (message) => {
      const der = sign('sha256', message, privateKey);
      const read = readEcdsaSignature(der);
      expect(readEcdsaSignature(toPlainBytes(read))).toEqual(read);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['nothing', ''],
  ['a length that is too long', '3007020101020101'],
  ['a tag that is no integer', '3006030101020101'],
  ['a negative number', '3006020181020101'],
  ['something behind it', '300602010102010100'],
  ['one number only', '3003020101'],
  ['63 bytes', 'ab'.repeat(63)],
])('%s is refused', (_what, hex) => {
  expect(() => readEcdsaSignature(Buffer.from(hex, 'hex'))).toThrow(RangeError);
});

test('of the two equivalent signatures the lower one is used', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: N - 1n }), (s) => {
      const low = withLowS({ r: 1n, s });
      expect(low.s === s || low.s === N - s).toBe(true);
      expect(low.s <= N / 2n).toBe(true);
    }),
  );
});
