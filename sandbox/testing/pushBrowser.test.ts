import { expect, it } from 'vitest';
import { pushRequest, vapidDetailsOf } from '#server/domain/notifications/push/sendPush.ts';
import { makeVapidPair } from '#server/platform/keys/vapidKeys.ts';
import { type TestBrowser, testBrowser } from './pushBrowser.ts';

const vapid = vapidDetailsOf({ ...makeVapidPair(), subject: 'mailto:ops@crossbook.example' });

/** What a push service would receive for this browser. */
function encrypted(payload: string, { keys }: TestBrowser): Buffer {
  const subscription = { endpoint: 'https://push.example/send/abc', ...keys };
  const message = { payload, topic: 'order:1', expiresAt: null };
  const { body } = pushRequest(message, subscription, vapid);
  if (typeof body === 'string') throw new Error('the message is not encrypted');
  return body;
}

it('the reader of these tests reads the example of RFC 8291', () => {
  const browser = testBrowser({
    privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  });
  const body = Buffer.from(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    'base64url',
  );
  expect(browser.read(body)).toBe('When I grow up, I want to be a watermelon');
});

it('a message is read by its browser alone, and looks different every time', () => {
  const browser = testBrowser();
  const text = JSON.stringify({ title: 'Bought 3 Yes for $1.50 ✓' });
  const [first, second] = [encrypted(text, browser), encrypted(text, browser)];
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
  const received = encrypted(text, browser);
  expect(received.length).toBeLessThanOrEqual(4_096);
  expect(browser.read(received)).toBe(text);
});
