declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  /** What RFC 8291 needs of the package; binary values as bytes. */
  type Encryption = {
    version: 'aes128gcm';
    /** Of the receiver: an uncompressed point of P-256. */
    dh: Buffer;
    /** Of the sender, for this message only. */
    privateKey: ECDH;
    authSecret: Buffer;
  };
  export function encrypt(plain: Buffer, parameters: Encryption): Buffer;
}
