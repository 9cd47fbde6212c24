import { randomBytes } from 'node:crypto';
import { importJWK, jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { makeVapidPair } from '#server/platform/keys/vapidKeys.ts';
import { pushRequest, vapidDetailsOf } from './sendPush.ts';

const pair = makeVapidPair();
const vapid = vapidDetailsOf({ ...pair, subject: 'mailto:ops@crossbook.example' });
const subscription = {
  endpoint: 'https://push.example/send/abc',
  p256dh: makeVapidPair().publicKey,
  auth: randomBytes(16).toString('base64url'),
};

const headersUntil = (expiresAt: Date) =>
  pushRequest({ payload: '{}', topic: 'order:1', expiresAt }, subscription, vapid).headers;
const headersForAnHour = () => headersUntil(new Date(Date.now() + 3_600_000));

it('the authorization is for one push service, names us, and ends within a day', async () => {
  const headers = headersForAnHour();
  const [, token = '', key = ''] =
    /^vapid t=([^,]+), k=(.+)$/.exec(String(headers.Authorization)) ?? [];
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

it('a private key that is not one is refused', () => {
  expect(() => vapidDetailsOf({ privateKey: 'none', subject: 'mailto:a@b.c' })).toThrow(
    'VAPID_PRIVATE_KEY',
  );
});

it('a push service keeps a message until it expires, and only the newest of its topic', () => {
  const headers = headersForAnHour();
  expect(headers).toMatchObject({
    'Content-Encoding': 'aes128gcm',
    Urgency: 'normal',
    Topic: expect.stringMatching(/^[\w-]{32}$/),
  });
  expect(Number(headers.TTL)).toBeGreaterThan(3_590);
  expect(Number(headers.TTL)).toBeLessThanOrEqual(3_600);
  expect(headersUntil(new Date(0)).TTL).toBe(0);
});
