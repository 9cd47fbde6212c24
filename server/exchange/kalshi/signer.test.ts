import { constants, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeyService } from '../../platform/keys/keyService.ts';
import {
  type KeyServiceServer,
  startKeyService,
} from '../../platform/keys/testing/keyServiceServer.ts';
import { createServiceSigner, createSigner, type Signer } from './signer.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');
const NOW = 1_700_000_000_123.4;
const TEXT = '1700000000123GET/trade-api/v2/portfolio/balance';
let held: KeyServiceServer;

beforeAll(async () => {
  held = await startKeyService({ exchange: rsa }, { token: 'a token of the key service' });
});

afterAll(() => held.close());

async function signatureOf(signer: Signer): Promise<Buffer> {
  const headers = await signer('get', '/trade-api/v2/portfolio/balance');
  expect(headers).toMatchObject({
    'KALSHI-ACCESS-KEY': 'id',
    'KALSHI-ACCESS-TIMESTAMP': '1700000000123',
  });
  return Buffer.from(headers['KALSHI-ACCESS-SIGNATURE'] ?? '', 'base64');
}

const pem = (key: typeof rsa.privateKey) => key.export({ format: 'pem', type: 'pkcs8' }).toString();

function isByRsa(signature: Buffer): boolean {
  const key = createPublicKey(rsa.privateKey);
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = constants;
  return verify('sha256', Buffer.from(TEXT), { key, padding, saltLength }, signature);
}

test('an RSA key signs with PSS, both locally and at a key service', async () => {
  const here = createSigner('id', pem(rsa.privateKey), () => NOW);
  expect(isByRsa(await signatureOf(here))).toBe(true);
  const service = createKeyService(held);
  const there = createServiceSigner('id', service, 'exchange', () => NOW);
  expect(isByRsa(await signatureOf(there))).toBe(true);
});

test('an Ed25519 key signs plainly', async () => {
  const signer = createSigner('id', pem(ed25519.privateKey), () => NOW);
  const signature = await signatureOf(signer);
  expect(verify(null, Buffer.from(TEXT), ed25519.publicKey, signature)).toBe(true);
});

test('given a key service that does not respond, the request stays unsigned', async () => {
  const deaf = createKeyService({ url: 'http://127.0.0.1:1' });
  await expect(createServiceSigner('id', deaf, 'exchange')('GET', '/')).rejects.toMatchObject({
    kind: 'unavailable',
  });
});
