import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { exportJWK, generateKeyPair } from 'jose';
import type { Hex } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { z } from 'zod';
import { generateApiKey } from '#server/domain/auth/apiKeys.ts';
import { makeVapidPair } from '#server/platform/keys/vapidKeys.ts';
import { StartProblem } from './problem.ts';
import { writeWhole } from './process/atomicFile.ts';

const OPERATOR_COUNT = 2;

const privateKey = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/)
  .transform((text) => text as Hex);

const secretsSchema = z.object({
  /** Keys of the chain's roles. */
  chain: z.object({
    operators: z.array(privateKey).min(1),
    attestor: privateKey,
    resolver: privateKey,
    admin: privateKey,
    treasury: privateKey,
    faucet: privateKey,
  }),
  /** The key pair that signs requests to the exchange. */
  exchange: z.object({ keyId: z.uuid(), privateKeyPem: z.string(), publicKeyPem: z.string() }),
  /** Private ES256 JWKs; the first signs. */
  jwtSigningKeys: z.array(z.record(z.string(), z.unknown())).min(1),
  publishableKey: z.string().startsWith('cbk_pub_'),
  apiKey: z.string().startsWith('cbk_test_'),
  /** The VAPID key pair; absent from older sandboxes, as are the keys after it. */
  vapid: z.object({ publicKey: z.string(), privateKey: z.string() }).optional(),
  /** Encrypts what owners save. */
  savedItemsKey: z.string().optional(),
  /** The key that sends what owners have signed. */
  relayer: privateKey.optional(),
});

export type Secrets = Required<z.infer<typeof secretsSchema>>;

/**
 * The secrets of one sandbox, created at its first start in a file that only its owner may read.
 * @throws {StartProblem} when the file exists but has another content
 */
export async function loadSecrets(path: string): Promise<Secrets> {
  if (!existsSync(path)) keep(path, await makeSecrets());
  const known = readSecrets(path);
  const { vapid, savedItemsKey, relayer } = known;
  if (vapid && savedItemsKey && relayer) return { ...known, vapid, savedItemsKey, relayer };
  const completed = {
    ...known,
    vapid: vapid ?? makeVapidPair(),
    savedItemsKey: savedItemsKey ?? newDataKey(),
    relayer: relayer ?? generatePrivateKey(),
  };
  keep(path, completed);
  return completed;
}

function readSecrets(path: string): z.infer<typeof secretsSchema> {
  try {
    return secretsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new StartProblem(
      `${path} does not hold the keys of this sandbox; it is damaged.`,
      'Put a backup of the data folder back, or start afresh: npm run reset wipes the data folder.',
      { cause },
    );
  }
}

const keep = (path: string, secrets: Secrets) =>
  writeWhole(path, `${JSON.stringify(secrets, null, 2)}\n`);

async function makeSecrets(): Promise<Secrets> {
  const exchange = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const signing = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(signing.privateKey)), alg: 'ES256', use: 'sig' };
  return {
    chain: {
      operators: Array.from({ length: OPERATOR_COUNT }, () => generatePrivateKey()),
      attestor: generatePrivateKey(),
      resolver: generatePrivateKey(),
      admin: generatePrivateKey(),
      treasury: generatePrivateKey(),
      faucet: generatePrivateKey(),
    },
    exchange: {
      keyId: randomUUID(),
      privateKeyPem: exchange.privateKey,
      publicKeyPem: exchange.publicKey,
    },
    jwtSigningKeys: [{ ...jwk, kid: randomUUID() }],
    publishableKey: generateApiKey('pub'),
    apiKey: generateApiKey('test'),
    vapid: makeVapidPair(),
    savedItemsKey: newDataKey(),
    relayer: generatePrivateKey(),
  };
}

const newDataKey = () => randomBytes(32).toString('base64');
