import { createPublicKey, type KeyObject } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

/** A private key: our own, or one of a key service that signs for us. */
export type KeySource<Local extends string = string> =
  | { kind: 'local'; value: Local }
  | { kind: 'service'; keyId: string };

/** The prefix of ids of keys that a key service holds. */
const SERVICE_PREFIX = 'kms:';

/** The id of a key at the key service; undefined for anything else, such as a key itself. */
export function serviceKeyId(text: string): string | undefined {
  if (!text.startsWith(SERVICE_PREFIX)) return undefined;
  const id = text.slice(SERVICE_PREFIX.length).trim();
  return id === '' ? undefined : id;
}

/**
 * A service that keeps private keys and signs for us. Signing has no side effects, so a request
 * without a response is repeated.
 */
export type KeyService = {
  /** @throws {KeyServiceError} */
  getPublicKey(keyId: string): Promise<KeyObject>;
  /** An ECDSA signature is r and s, in DER or plain. @throws {KeyServiceError} */
  sign(keyId: string, algorithm: SigningAlgorithm, what: ToSign): Promise<Uint8Array>;
};

/** A digest of 32 bytes is signed unchanged; the service hashes a message of up to 4,096 bytes. */
export type ToSign = { digest: Uint8Array } | { message: Uint8Array };

export type SigningAlgorithm = 'ECDSA_SHA_256' | 'RSASSA_PSS_SHA_256';

/** `unavailable`: a retry may succeed. `refused`: it never will. */
export class KeyServiceError extends Error {
  override readonly name = 'KeyServiceError';
  readonly kind: 'unavailable' | 'refused';

  constructor(kind: KeyServiceError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export type KeyServiceOptions = {
  url: string;
  /** Sent as a bearer token. */
  token?: string | undefined;
  fetch?: typeof fetch;
  timeoutMs?: number;
};

/** Two attempts take less than the signer's lease of four seconds. */
const TIMEOUT_MS = 1_500;
const ATTEMPTS = 2;
const PAUSE_MS = 100;

const publicKeyResponse = z.object({ PublicKey: z.base64() });
const signResponse = z.object({ Signature: z.base64() });
const refusal = z.object({ __type: z.string().optional(), message: z.string().optional() });

/**
 * The protocol of AWS KMS (JSON 1.1: `TrentService.GetPublicKey` and `TrentService.Sign`),
 * which aws-sigv4-proxy, local-kms and LocalStack speak as well.
 */
export function createKeyService(options: KeyServiceOptions): KeyService {
  const ask = async <Reply>(target: string, body: object, schema: z.ZodType<Reply>) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await askOnce(options, target, body, schema);
      } catch (error) {
        const isPassing = error instanceof KeyServiceError && error.kind === 'unavailable';
        if (!isPassing || attempt >= ATTEMPTS) throw error;
        await delay(PAUSE_MS);
      }
    }
  };
  return {
    async getPublicKey(keyId) {
      const response = await ask('TrentService.GetPublicKey', { KeyId: keyId }, publicKeyResponse);
      return readPublicKey(keyId, response.PublicKey);
    },
    async sign(keyId, algorithm, what) {
      const isDigest = 'digest' in what;
      const bytes = isDigest ? what.digest : what.message;
      const question = {
        KeyId: keyId,
        Message: Buffer.from(bytes).toString('base64'),
        MessageType: isDigest ? 'DIGEST' : 'RAW',
        SigningAlgorithm: algorithm,
      };
      const response = await ask('TrentService.Sign', question, signResponse);
      return Buffer.from(response.Signature, 'base64');
    },
  };
}

async function askOnce<Reply>(
  options: KeyServiceOptions,
  target: string,
  body: object,
  schema: z.ZodType<Reply>,
): Promise<Reply> {
  const { status, text } = await post(options, target, body);
  if (status >= 500 || status === 429) {
    throw new KeyServiceError('unavailable', `the key service responded with ${status}`);
  }
  const json = parseJson(text);
  if (status !== 200) {
    const { __type: type = '', message = '' } = refusal.safeParse(json).data ?? {};
    const isBusy = /Throttling|Unavailable|Internal|Timeout/.test(type);
    throw new KeyServiceError(
      isBusy ? 'unavailable' : 'refused',
      `the key service refused with ${status} ${type} ${message}`.trim(),
    );
  }
  const response = schema.safeParse(json);
  if (response.success) return response.data;
  throw new KeyServiceError('refused', 'the key service returned an unexpected response');
}

async function post(
  { url, token, timeoutMs = TIMEOUT_MS, fetch: send = fetch }: KeyServiceOptions,
  target: string,
  body: object,
): Promise<{ status: number; text: string }> {
  try {
    const response = await send(url, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': target,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    throw new KeyServiceError('unavailable', 'the key service is not responding', { cause });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readPublicKey(keyId: string, base64: string): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
  } catch (cause) {
    throw new KeyServiceError('refused', `the public key of ${keyId} cannot be read`, { cause });
  }
}
