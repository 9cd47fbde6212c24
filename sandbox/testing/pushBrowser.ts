import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';

const HEADER_BYTES = 21;
const TAG_BYTES = 16;

/** The receiving part of a browser: keys, and decryption by RFC 8291. */
export type TestBrowser = {
  keys: { p256dh: string; auth: string };
  read(body: Buffer): string;
};

/** A new browser, or the one with these keys. */
export function testBrowser(known?: { privateKey: string; auth: string }): TestBrowser {
  const pair = createECDH('prime256v1');
  if (known) pair.setPrivateKey(known.privateKey, 'base64url');
  else pair.generateKeys();
  const auth = known ? Buffer.from(known.auth, 'base64url') : randomBytes(16);
  return {
    keys: {
      p256dh: pair.getPublicKey('base64url'),
      auth: auth.toString('base64url'),
    },
    read: (body) => readBody(body, pair, auth),
  };
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** Follows the RFC with Node's own primitives: it shares no code with the sender. */
function readBody(body: Buffer, pair: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(HEADER_BYTES, HEADER_BYTES + body.readUInt8(20));
  const record = body.subarray(HEADER_BYTES + sender.length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
  const secret = derive(pair.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createDecipheriv('aes-128-gcm', key, nonce);
  cipher.setAuthTag(record.subarray(-TAG_BYTES));
  const padded = Buffer.concat([cipher.update(record.subarray(0, -TAG_BYTES)), cipher.final()]);
  const end = padded.lastIndexOf(2);
  return padded.subarray(0, end).toString('utf8');
}
