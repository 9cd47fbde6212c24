import { importJWK, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { isPublicKey, makeVapidPair, vapidPublicKeyOf } from '#server/platform/keys/vapidKeys.ts';
import { openVapidSigner } from './vapid.ts';

const pair = makeVapidPair();

describe('a pair', () => {
  it('has the lengths that browsers and push services ask for', () => {
    expect(Buffer.from(pair.publicKey, 'base64url')).toHaveLength(65);
    expect(Buffer.from(pair.privateKey, 'base64url')).toHaveLength(32);
    expect(vapidPublicKeyOf(pair.privateKey)).toBe(pair.publicKey);
    expect(isPublicKey(pair.publicKey)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['zero', Buffer.alloc(32).toString('base64url')],
    ['beyond the order of the curve', Buffer.alloc(32, 255).toString('base64url')],
    ['too short', 'c2hvcnQ'],
  ])('is not made of %s', (_, privateKey) => {
    expect(vapidPublicKeyOf(privateKey)).toBeUndefined();
  });

  it('does not take a point beside the curve', () => {
    const beside = Buffer.from(pair.publicKey, 'base64url');
    beside[64] = (beside[64] ?? 0) ^ 1;
    expect(isPublicKey(beside.toString('base64url'))).toBe(false);
    expect(isPublicKey(pair.publicKey.slice(0, -4))).toBe(false);
  });
});

it('the authorization holds for one push service, names us, and ends within a day', async () => {
  const signer = await openVapidSigner({ ...pair, subject: 'mailto:ops@crossbook.example' });
  const header = await signer.authorization('https://push.example/send/abc');
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? [];
  expect(key).toBe(pair.publicKey);
  const point = Buffer.from(key, 'base64url');
  const verifier = await importJWK(
    {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
    'ES256',
  );
  const { payload, protectedHeader } = await jwtVerify(token, verifier);
  expect(protectedHeader).toEqual({ typ: 'JWT', alg: 'ES256' });
  expect(payload).toMatchObject({
    aud: 'https://push.example',
    sub: 'mailto:ops@crossbook.example',
  });
  const left = (payload.exp ?? 0) - Date.now() / 1_000;
  expect(left).toBeGreaterThan(3_600);
  expect(left).toBeLessThanOrEqual(24 * 3_600);
});

it('a key that is none is not signed with', async () => {
  await expect(openVapidSigner({ privateKey: 'none', subject: 'mailto:a@b.c' })).rejects.toThrow();
});
