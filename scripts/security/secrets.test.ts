import { generateKeyPairSync } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { generatePrivateKey } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { developmentWallet } from '#contracts/deployment/developmentKeys.ts';
import { issueAccessToken, tokenRealm } from '#server/domain/auth/accessTokens.ts';
import { generateApiKey } from '#server/domain/auth/apiKeys.ts';
import { generateSigningKeyJson, readSigningKeys } from '#server/domain/auth/signingKeys.ts';
import { findSecrets } from './secrets.ts';

const found = async (content: string) =>
  (await findSecrets('notes.md', content)).map(({ what }) => what);

describe('what is found', () => {
  test('our API keys, unless they are public ones', async () => {
    expect(await found(`key: ${generateApiKey('live')}`)).toEqual(['an API key']);
    expect(await found(generateApiKey('test'))).toEqual(['an API key']);
    expect(await found(generateApiKey('pub'))).toEqual([]);
  });

  test('keys of chains by the name before them', async () => {
    const key = generatePrivateKey();
    for (const text of [
      `OPERATOR_PRIVATE_KEYS=${key}`,
      `ATTESTOR_PRIVATE_KEY="${key}"`,
      `const adminKey = '${key}';`,
      `{"privateKey": "${key}"}`,
      `secret: ${key.slice(2)}`,
    ]) {
      expect(await found(text), text).toEqual(['a private key of a chain']);
    }
  });

  test('keys in PEM and as JWK, tokens, secrets of webhooks', async () => {
    const { privateKey } = generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    expect(await found(privateKey)).toHaveLength(1);
    const { privateKey: jwk } = await generateKeyPair('ES256', { extractable: true });
    expect(await found(JSON.stringify(await exportJWK(jwk)))).toEqual(['a private JWK']);
    const keys = await readSigningKeys(await generateSigningKeyJson());
    const owner = developmentWallet(0).address;
    const { token } = await issueAccessToken(keys, tokenRealm('https://x.test'), owner);
    expect(await found(`Bearer ${token}`)).toEqual(['a bearer token']);
    expect(await found(`cbo_${'Ab3-'.repeat(10)}xyz`)).toEqual(['the token of an operator']);
    expect(await found(`whsec_${'QUJD'.repeat(8)}`)).toEqual(['the secret of a webhook']);
  });

  test('keys of services that we do not run', async () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
    expect(await found(`ghp_${letters}`)).toHaveLength(1);
    expect(await found(`postgres://crossbook:${letters}@db.internal/crossbook`)).not.toEqual([]);
  });
});

describe('what is no secret', () => {
  test('keys that every development chain funds', async () => {
    const { privateKey } = developmentWallet(3);
    expect(await found(`ANVIL_KEY=${privateKey}`)).toEqual([]);
  });

  test.each([
    `transactionHash: '0x${'ab'.repeat(32)}'`,
    'x-api-key: cbk_test_…',
    'OPERATOR_PRIVATE_KEYS=0x…',
    'postgres://user:secret@localhost/crossbook',
    'DATABASE_URL=postgres://crossbook:<password>@db.internal/crossbook',
    'DATABASE_URL=postgres://crossbook:choose-a-long-one@db.example:5432/crossbook',
    'postgres://crossbook:choose-a-long-one@db.example.com/crossbook',
    `"integrity": "sha512-${'Ab3/'.repeat(22)}=="`,
  ])('%s', async (text) => {
    expect(await found(text)).toEqual([]);
  });
});
