import { decodeProtectedHeader } from 'jose';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  issueAccessToken,
  TOKEN_LIFETIME_SECONDS,
  tokenRealm,
  verifyAccessToken,
} from './accessTokens.ts';
import {
  generateSigningKeyJson,
  readSigningKeys,
  rotateSigningKeys,
  type SigningKeys,
} from './signingKeys.ts';

const realm = tokenRealm('https://crossbook.test');
const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

describe('changing the signing key', () => {
  let before: SigningKeys;
  let during: SigningKeys;
  let after: SigningKeys;

  beforeAll(async () => {
    const old = await generateSigningKeyJson();
    const both = await rotateSigningKeys(old);
    const fresh = JSON.stringify((JSON.parse(both) as unknown[]).slice(0, 1));
    [before, during, after] = (await Promise.all(
      [old, both, fresh].map((json) => readSigningKeys(json)),
    )) as [SigningKeys, SigningKeys, SigningKeys];
  });

  const issue = async (keys: SigningKeys) => (await issueAccessToken(keys, realm, OWNER)).token;

  it('publishes both keys for a while, and no private part of either', () => {
    expect(during.publicJwks.keys).toHaveLength(2);
    expect(during.publicJwks.keys[1]).toEqual(before.publicJwks.keys[0]);
    expect(JSON.stringify(during.publicJwks)).not.toContain('"d"');
  });

  it('meanwhile accepts tokens of the old key and signs with the new one', async () => {
    const old = await issue(before);
    await expect(verifyAccessToken(during, realm, old)).resolves.toMatchObject({ owner: OWNER });
    const token = await issue(during);
    expect(decodeProtectedHeader(token).kid).toBe(after.signing.kid);
    await expect(verifyAccessToken(after, realm, token)).resolves.toMatchObject({ owner: OWNER });
  });

  it('refuses tokens of the old key afterwards', async () => {
    const old = await issue(before);
    await expect(verifyAccessToken(after, realm, old)).rejects.toThrow(/token_invalid/);
  });

  it('refuses a token that names a key it was not signed with', async () => {
    const [, payload, signature] = (await issue(before)).split('.');
    const [header] = (await issue(after)).split('.');
    const mixed = `${header}.${payload}.${signature}`;
    await expect(verifyAccessToken(during, realm, mixed)).rejects.toThrow(/token_invalid/);
  });
});

describe('a verified token', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('expires on time and is valid for its own wallet only', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const keys = await readSigningKeys(await generateSigningKeyJson());
    const { token } = await issueAccessToken(keys, realm, OWNER);
    const verify = () => verifyAccessToken(keys, realm, token);
    const first = await verify();
    await expect(verify()).resolves.toEqual(first);
    const elsewhere = tokenRealm('https://elsewhere.test');
    await expect(verifyAccessToken(keys, elsewhere, token)).rejects.toThrow(/token_invalid/);
    const changed = `${token.slice(0, -4)}AAAA`;
    await expect(verifyAccessToken(keys, realm, changed)).rejects.toThrow(/token_invalid/);
    vi.setSystemTime(Date.now() + (TOKEN_LIFETIME_SECONDS - 1) * 1000);
    await expect(verify()).resolves.toEqual(first);
    vi.setSystemTime(Date.now() + 2_000);
    await expect(verify()).rejects.toThrow(/token_invalid/);
  });
});
