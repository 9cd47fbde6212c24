import { constants, createPrivateKey, sign } from 'node:crypto';
import type { KeyService } from '../../platform/keys/keyService.ts';

/**
 * Creates the authentication headers. The path starts at the root and has no query. The exchange
 * rejects them when `at` (default: now) is too far from its own clock.
 */
export type Signer = (method: string, path: string, at?: Date) => Promise<Record<string, string>>;

type SignText = (text: Buffer) => Promise<Buffer>;

/** Signs with a local key: RSA with PSS and SHA-256, Ed25519 plainly. */
export function createSigner(keyId: string, privateKeyPem: string, now = Date.now): Signer {
  const key = createPrivateKey(privateKeyPem);
  const isEd25519 = key.asymmetricKeyType === 'ed25519';
  const signText: SignText = async (text) =>
    isEd25519
      ? sign(null, text, key)
      : sign('sha256', text, {
          key,
          padding: constants.RSA_PKCS1_PSS_PADDING,
          saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
        });
  return signerOf(keyId, signText, now);
}

/** Signs with an RSA key in a key service, which takes one call per request. */
export function createServiceSigner(
  keyId: string,
  service: KeyService,
  serviceKeyId: string,
  now = Date.now,
): Signer {
  const signText: SignText = async (message) =>
    Buffer.from(await service.sign(serviceKeyId, 'RSASSA_PSS_SHA_256', { message }));
  return signerOf(keyId, signText, now);
}

/** The signed text is `timestamp + METHOD + path`. */
function signerOf(keyId: string, signText: SignText, now: () => number): Signer {
  return async (method, path, at) => {
    const timestamp = String(Math.trunc(at?.getTime() ?? now()));
    const signature = await signText(Buffer.from(`${timestamp}${method.toUpperCase()}${path}`));
    return {
      'KALSHI-ACCESS-KEY': keyId,
      'KALSHI-ACCESS-TIMESTAMP': timestamp,
      'KALSHI-ACCESS-SIGNATURE': signature.toString('base64'),
    };
  };
}
