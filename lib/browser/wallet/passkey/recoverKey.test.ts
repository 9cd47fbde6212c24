import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { bytesToHex } from 'viem';
import { expect, test } from 'vitest';
import { keyOfBoth, type PasskeyProof } from './recoverKey.ts';

function createKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const key = bytesToHex(Buffer.concat([x, y].map((part) => Buffer.from(part, 'base64url'))));
  const prove = (): PasskeyProof => {
    const signed = randomBytes(69);
    const signature = sign('sha256', signed, { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return { signature: bytesToHex(signature), signed: bytesToHex(signed) };
  };
  return { key, prove };
}

test('given two signatures of a passkey, its key is found, time and again', () => {
  for (let round = 0; round < 5; round += 1) {
    const { key, prove } = createKey();
    expect(keyOfBoth(prove(), prove())).toBe(key);
  }
});

test('given signatures of two passkeys, no key is found; given one signature twice, neither', () => {
  const { prove } = createKey();
  const proof = prove();
  expect(keyOfBoth(proof, createKey().prove())).toBeUndefined();
  expect(keyOfBoth(proof, proof)).toBeUndefined();
});
