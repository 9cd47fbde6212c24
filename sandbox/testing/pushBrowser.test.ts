import { expect, it } from 'vitest';
import { encryptMessage, MAX_MESSAGE_BYTES } from '#server/domain/notifications/push/encrypt.ts';
import { testBrowser } from './pushBrowser.ts';

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
  const [first, second] = [encryptMessage(text, browser.keys), encryptMessage(text, browser.keys)];
  expect(browser.read(first)).toBe(text);
  expect(browser.read(second)).toBe(text);
  expect(first.equals(second)).toBe(false);
  expect(() => testBrowser().read(first)).toThrow();
});

it('a message fits into one record of every push service, or is refused', () => {
  const browser = testBrowser();
  const longest = 'x'.repeat(MAX_MESSAGE_BYTES);
  const body = encryptMessage(longest, browser.keys);
  expect(body.length).toBeLessThanOrEqual(4_096);
  expect(browser.read(body)).toBe(longest);
  expect(() => encryptMessage(`${longest}é`, browser.keys)).toThrow(RangeError);
});
