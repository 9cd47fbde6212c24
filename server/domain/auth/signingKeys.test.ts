import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyService } from '../../platform/keys/keyService.ts';
import {
  type KeyServiceServer,
  startKeyService,
} from '../../platform/keys/testing/keyServiceServer.ts';
import { issueAccessToken, verifyAccessToken } from './accessTokens.ts';
import {
  announceSigningKey,
  generateSigningKeyJson,
  readSigningKeys,
  retireSigningKeys,
  switchSigningKeys,
} from './signingKeys.ts';

const realm = { issuer: 'https://crossbook.test', audience: 'https://crossbook.test/v1' };
const OWNER = '0x00000000000000000000000000000000000000A1';
const kids = (json: string) => (JSON.parse(json) as { kid: string }[]).map(({ kid }) => kid);

describe('changing the key in steps', () => {
  test('given any step, processes before and after it verify each other’s tokens', async () => {
    const old = await generateSigningKeyJson();
    const announced = await announceSigningKey(old);
    const switched = switchSigningKeys(announced);
    const retired = retireSigningKeys(switched);
    expect(kids(switched)).toEqual(kids(announced).toReversed());
    expect(kids(retired)).toEqual(kids(switched).slice(0, 1));
    const steps = await Promise.all(
      [old, announced, switched].map((json) => readSigningKeys(json)),
    );
    for (const [index, step] of steps.entries()) {
      const next = steps[index + 1];
      if (!next) continue;
      for (const [signer, verifier] of [
        [step, next],
        [next, step],
      ] as const) {
        const { token } = await issueAccessToken(signer, realm, OWNER);
        expect((await verifyAccessToken(verifier, realm, token)).owner).toBe(OWNER);
      }
    }
  });

  test('refuses to switch to a key that was not announced', async () => {
    const only = await generateSigningKeyJson();
    expect(() => switchSigningKeys(only)).toThrow(RangeError);
  });
});

describe('a key at a key service', () => {
  let held: KeyServiceServer;
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

  beforeAll(async () => {
    held = await startKeyService({ tokens: p256, other: rsa }, { token: 'a token of the service' });
  });

  afterAll(() => held.close());

  test('signs tokens that every process verifies, beside a local key', async () => {
    const service = createKeyService(held);
    const [own] = JSON.parse(await generateSigningKeyJson()) as unknown[];
    const json = JSON.stringify(['kms:tokens', own]);
    const [one, other] = [
      await readSigningKeys(json, service),
      await readSigningKeys(json, service),
    ];
    expect(one.signing.kid).toBe(other.signing.kid);
    const { token } = await issueAccessToken(one, realm, OWNER);
    expect((await verifyAccessToken(other, realm, token)).owner).toBe(OWNER);
    expect(one.publicJwks.keys).toHaveLength(2);
    expect(JSON.stringify(one.publicJwks)).not.toContain('"d"');
  });

  test.each([
    ['of another kind', '["kms:other"]', true],
    ['that is not there', '["kms:nobody"]', true],
    ['without a service', '["kms:tokens"]', false],
  ])('a key %s is refused', async (_what, json, hasService) => {
    const service = hasService ? createKeyService(held) : undefined;
    await expect(readSigningKeys(json, service)).rejects.toMatchObject({ kind: 'refused' });
  });
});
