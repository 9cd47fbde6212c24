import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ApiKey } from '../apiKeys.ts';
import { Refusal } from '../order.ts';
import type { Exchange } from '../state.ts';

const keys = new WeakMap<ApiKey, KeyObject>();

/**
 * Checks the three access headers: base64 signature of `timestamp + METHOD + path` without the
 * query, by RSA-PSS with SHA-256 or by Ed25519, as the key decides, and how far its time is from
 * the exchange's. @throws {Refusal}
 */
export function authenticate(
  exchange: Exchange,
  headers: IncomingHttpHeaders,
  method: string,
  path: string,
): ApiKey {
  const keyId = single(headers['kalshi-access-key']);
  const timestamp = single(headers['kalshi-access-timestamp']);
  const signature = single(headers['kalshi-access-signature']);
  if (!keyId || !timestamp || !signature) throw refused('authentication headers are missing');
  const key = exchange.apiKeys.get(keyId);
  if (!key) throw refused('unknown key');
  const machineNow = Date.now() + exchange.faults.clockSkewMs;
  const awayMs = Math.abs(Number(timestamp) - machineNow);
  if (!/^\d{13}$/.test(timestamp) || awayMs > exchange.signatureToleranceMs) {
    throw new Refusal(401, 'header_timestamp_expired', 'the timestamp is too far from now');
  }
  const text = Buffer.from(`${timestamp}${method.toUpperCase()}${path}`);
  if (!isSigned(keyOf(key), text, Buffer.from(signature, 'base64'))) {
    throw refused('the signature does not match');
  }
  return key;
}

function isSigned(key: KeyObject, text: Buffer, signature: Buffer): boolean {
  if (key.asymmetricKeyType === 'ed25519') return verify(null, text, key, signature);
  return verify(
    'sha256',
    text,
    {
      key,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    },
    signature,
  );
}

function keyOf(apiKey: ApiKey): KeyObject {
  const known = keys.get(apiKey);
  if (known) return known;
  const key = createPublicKey(apiKey.publicKeyPem);
  keys.set(apiKey, key);
  return key;
}

function refused(message: string): Refusal {
  return new Refusal(401, 'authentication_error', message);
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
