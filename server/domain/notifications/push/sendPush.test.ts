import { importJWK, jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { testBrowser } from '#sandbox/testing/pushBrowser.ts';
import { makeVapidPair } from '#server/platform/keys/vapidKeys.ts';
import { pushRequest, vapidDetailsOf } from './sendPush.ts';

const pair = makeVapidPair();
const vapid = vapidDetailsOf({ ...pair, subject: 'mailto:ops@crossbook.example' });
const inAnHour = () => new Date(Date.now() + 3_600_000);

function requestFor(browser = testBrowser(), payload = '{}', expiresAt = inAnHour()) {
  const subscription = { endpoint: 'https://push.example/send/abc', ...browser.keys };
  const { headers, body } = pushRequest(
    { payload, topic: 'order:1', expiresAt },
    subscription,
    vapid,
  );
  if (typeof body === 'string') throw new Error('the message is not encrypted');
  return { headers, body };
}

it('the authorization is for one push service, names us, and ends within a day', async () => {
  const { headers } = requestFor();
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

it('a message is read by its browser alone, and looks different every time', () => {
  const browser = testBrowser();
  const text = JSON.stringify({ title: 'Bought 3 Yes for $1.50 ✓' });
  const [first, second] = [requestFor(browser, text).body, requestFor(browser, text).body];
  expect(browser.read(first)).toBe(text);
  expect(browser.read(second)).toBe(text);
  expect(first.equals(second)).toBe(false);
  expect(() => testBrowser().read(first)).toThrow();
});

it('the longest notification fits into one record of every push service', () => {
  const browser = testBrowser();
  // Texts are cut to 200 letters, and JSON spells a control character in six bytes.
  const [title, body] = ['\u0001'.repeat(200), '\u0001'.repeat(200)];
  const ticker = 'X'.repeat(100);
  const text = JSON.stringify({ title, body, path: `/markets/${ticker}`, tag: ticker });
  const request = requestFor(browser, text);
  expect(request.body.length).toBeLessThanOrEqual(4_096);
  expect(browser.read(request.body)).toBe(text);
});

it('a push service keeps a message until it expires, and only the newest of its topic', () => {
  const { headers } = requestFor();
  expect(headers).toMatchObject({
    'Content-Encoding': 'aes128gcm',
    Urgency: 'normal',
    Topic: expect.stringMatching(/^[\w-]{32}$/),
  });
  expect(Number(headers.TTL)).toBeGreaterThan(3_590);
  expect(Number(headers.TTL)).toBeLessThanOrEqual(3_600);
  expect(requestFor(testBrowser(), '{}', new Date(0)).headers.TTL).toBe(0);
});
