import { concat, type Hex, keccak256, numberToHex, slice, toHex, zeroAddress } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { NO_SESSION_KEY } from '#lib/account/sessionKey.ts';
import { generateP256, p256Signer } from '#lib/order/p256Signer.ts';
import { secp256k1Signer } from '#lib/order/secp256k1Signer.ts';
import { isSameKey, readSessionKey, signerOf } from './sessionKey.ts';

const digest = keccak256('0x01');
const ORDERS = {
  'P-256': 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  secp256k1: 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n,
};

const SIGNERS = {
  'P-256': async () => await p256Signer(await generateP256()),
  secp256k1: async () => secp256k1Signer(generatePrivateKey()),
};

/** The twin of a signature, which its curve accepts too. */
function withHighS(signature: Hex, order: bigint): Hex {
  const s = numberToHex(order - BigInt(slice(signature, 32, 64)), { size: 32 });
  const rest = slice(signature, 64);
  return concat([
    slice(signature, 0, 32),
    s,
    rest === '0x1b' ? '0x1c' : rest === '0x1c' ? '0x1b' : rest,
  ]);
}

describe.each(['P-256', 'secp256k1'] as const)('given a %s key', (kind) => {
  test('its signatures count, of nothing else, by nobody else, and only once', async () => {
    const signer = await SIGNERS[kind]();
    const key = readSessionKey(signer.sessionKey);
    // Half of all signatures have a high s before they are normalised.
    for (let index = 0; index < 8; index += 1) {
      const each = keccak256(toHex(index));
      expect(await signerOf(each, await signer.signDigest(each))).toEqual(key);
    }
    const signature = await signer.signDigest(digest);
    const other = await SIGNERS[kind]();
    const refused: [Hex, Hex][] = [
      [keccak256('0x02'), signature],
      [digest, await other.signDigest(digest)],
      [digest, withHighS(signature, ORDERS[kind])],
      [digest, concat([signature, '0x00'])],
      [digest, slice(signature, 0, 64)],
      [digest, '0x'],
    ];
    for (const [of, by] of refused) expect(await signerOf(of, by)).not.toEqual(key);
    expect(isSameKey(key, key)).toBe(true);
    expect(isSameKey(key, { ...key, keyKind: 3 - key.keyKind })).toBe(false);
  });
});

test('given the zero address or coordinates that are no point of the curve, no key is read', () => {
  expect(() => readSessionKey(zeroAddress)).toThrow(/must be changed/);
  expect(() => readSessionKey(`0x${'11'.repeat(64)}`)).toThrow(/must be changed/);
  expect(readSessionKey('none')).toEqual(NO_SESSION_KEY);
});
