import { constants, createPrivateKey, sign } from 'node:crypto';

export type Signer = (method: string, path: string) => Record<string, string>;

/**
 * Makes the three access headers. The signed text is `timestamp + METHOD + path`, the path from
 * the root and without its query; RSA keys sign with PSS and SHA-256, Ed25519 keys sign plainly.
 */
export function createSigner(keyId: string, privateKeyPem: string, now = Date.now): Signer {
  const key = createPrivateKey(privateKeyPem);
  const isEd25519 = key.asymmetricKeyType === 'ed25519';
  return (method, path) => {
    const timestamp = String(Math.trunc(now()));
    const text = Buffer.from(`${timestamp}${method.toUpperCase()}${path}`);
    const signature = isEd25519
      ? sign(null, text, key)
      : sign('sha256', text, {
          key,
          padding: constants.RSA_PKCS1_PSS_PADDING,
          saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
        });
    return {
      'KALSHI-ACCESS-KEY': keyId,
      'KALSHI-ACCESS-TIMESTAMP': timestamp,
      'KALSHI-ACCESS-SIGNATURE': signature.toString('base64'),
    };
  };
}
