import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { developmentAddressesAmong } from '#contracts/deployment/developmentKeys.ts';
import { isLoopback } from '#lib/loopback.ts';
import type { KeySource } from '../keys/keyService.ts';
import { CHAIN_KEYS } from './environment.ts';
import type { ReadableEnvironment } from './validateEnvironment.ts';

const LEAST_TOKEN = 16;
const LEAST_RSA_BITS = 2_048;

export function* validateKeys(env: ReadableEnvironment, isProduction: boolean): Generator<string> {
  if (isProduction) yield* chainKeyRefusals(env);
  yield* signingKeyRefusals(env);
  yield* exchangeKeyRefusals(env, isProduction);
  yield* keyServiceRefusals(env, isProduction);
}

type NamedKey = { name: keyof ReadableEnvironment; source: KeySource<Hex> };

function chainKeys(env: ReadableEnvironment): NamedKey[] {
  return CHAIN_KEYS.flatMap((name) =>
    [env[name] ?? []].flat().map((source): NamedKey => ({ name, source })),
  );
}

/** Public or guessable keys, and one key with two roles. */
function* chainKeyRefusals(env: ReadableEnvironment): Generator<string> {
  const seen = new Map<string, string>();
  for (const { name, source } of chainKeys(env)) {
    const identity = source.kind === 'service' ? `kms:${source.keyId}` : source.value.toLowerCase();
    const other = seen.get(identity);
    if (other !== undefined) {
      yield `${name}: is the same key as ${other}; use a separate key for every role`;
    }
    seen.set(identity, name);
    if (source.kind === 'service') continue;
    if (isGuessable(source.value)) {
      yield `${name}: has a guessable key; use a random one`;
    } else if (isDevelopmentKey(source.value)) {
      yield `${name}: has a well-known development key; use it on a local chain only`;
    }
  }
}

/** One repeated byte, or a small number. */
function isGuessable(key: Hex): boolean {
  return new Set(Buffer.from(key.slice(2), 'hex')).size < 8;
}

function isDevelopmentKey(key: Hex): boolean {
  try {
    return developmentAddressesAmong([privateKeyToAddress(key)]).length > 0;
  } catch {
    return true; // Zero, or beyond the curve's order: not a key.
  }
}

function* exchangeKeyRefusals(env: ReadableEnvironment, isProduction: boolean): Generator<string> {
  const { VENUE_KEY_ID: id, VENUE_PRIVATE_KEY: source } = env;
  if (id && !source)
    yield 'VENUE_PRIVATE_KEY: is missing, but VENUE_KEY_ID is set; set both or none';
  if (!source) return;
  if (!id) yield 'VENUE_KEY_ID: is missing, but VENUE_PRIVATE_KEY is set; set both or none';
  if (source.kind === 'service') return;
  const key = readPem(source.value);
  if (!key || !['rsa', 'ed25519'].includes(key.asymmetricKeyType ?? '')) {
    yield 'VENUE_PRIVATE_KEY: is not an RSA or Ed25519 private key; paste the whole PEM, with \\n for its line ends';
  } else if (isProduction && (key.asymmetricKeyDetails?.modulusLength ?? 4_096) < LEAST_RSA_BITS) {
    yield `VENUE_PRIVATE_KEY: has less than ${LEAST_RSA_BITS} bits; make a longer one at the exchange`;
  }
}

function readPem(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function* signingKeyRefusals({ JWT_SIGNING_KEYS: json }: ReadableEnvironment): Generator<string> {
  if (json === undefined) return;
  const cure = 'npm run -s auth:keys prints a new value';
  let keys: unknown;
  try {
    keys = JSON.parse(json);
  } catch {
    keys = undefined;
  }
  if (!Array.isArray(keys) || keys.length === 0) {
    yield `JWT_SIGNING_KEYS: is not a JSON array of private ES256 keys; ${cure}`;
    return;
  }
  const weak = keys.some((key: unknown) => {
    const secret = typeof key === 'object' && key !== null && 'd' in key ? key.d : undefined;
    if (typeof secret !== 'string') return typeof key !== 'string';
    const bytes = Buffer.from(secret, 'base64url');
    return bytes.length !== 32 || new Set(bytes).size < 8;
  });
  if (weak) yield `JWT_SIGNING_KEYS: has a key that is short, default or not private; ${cure}`;
}

function* keyServiceRefusals(env: ReadableEnvironment, isProduction: boolean): Generator<string> {
  const { KEY_SERVICE_URL: url, KEY_SERVICE_TOKEN: token } = env;
  const named = [
    ...chainKeys(env),
    ...(env.VENUE_PRIVATE_KEY
      ? [{ name: 'VENUE_PRIVATE_KEY', source: env.VENUE_PRIVATE_KEY }]
      : []),
  ].find(({ source }) => source.kind === 'service');
  const asking = named?.name ?? (env.JWT_SIGNING_KEYS?.includes('"kms:') && 'JWT_SIGNING_KEYS');
  if (asking && !url) {
    yield `KEY_SERVICE_URL: is missing, but ${asking} names a key of the key service; set it`;
  }
  if (url?.startsWith('http:') && !isLoopback(url)) {
    yield 'KEY_SERVICE_URL: plain http lets others request signatures; use https, or a proxy on this machine';
  }
  if (isProduction && token !== undefined && token.length < LEAST_TOKEN) {
    yield `KEY_SERVICE_TOKEN: has less than ${LEAST_TOKEN} characters; use a random one`;
  }
}
