import { describe, expect, it } from 'vitest';
import { isPublicKey, makeVapidPair, vapidPublicKeyOf } from './vapidKeys.ts';

const pair = makeVapidPair();

describe('a pair', () => {
  it('has the lengths that browsers and push services require', () => {
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

  it('rejects a point beside the curve', () => {
    const beside = Buffer.from(pair.publicKey, 'base64url');
    beside[64] = (beside[64] ?? 0) ^ 1;
    expect(isPublicKey(beside.toString('base64url'))).toBe(false);
    expect(isPublicKey(pair.publicKey.slice(0, -4))).toBe(false);
  });
});
