import { generateKeyPairSync } from 'node:crypto';
import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import { developmentWallet } from '#contracts/deployment/developmentKeys.ts';
import { makeVapidPair } from '../keys/vapidKeys.ts';
import { ConfigError, readConfig } from './config.ts';

const ADDRESS = `0x${'a1'.repeat(20)}`;
const pemOf = (key: ReturnType<typeof generateKeyPairSync>['privateKey']) =>
  key.export({ format: 'pem', type: 'pkcs8' }).toString();
const PEM = pemOf(generateKeyPairSync('ed25519').privateKey);
const PASSWORD = 'nobody-guesses-this-one';
const jwk = {
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid: 'one',
};

type Variables = Record<string, string | undefined>;

const contracts = {
  USDC_ADDRESS: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  OUTCOME_TOKEN_ADDRESS: ADDRESS,
  SWAP_VAULT_ADDRESS: ADDRESS,
  ACCOUNT_FACTORY_ADDRESS: ADDRESS,
};

/** Everything real, and nothing to object to. */
const production: Variables = {
  ...contracts,
  PUBLIC_BASE_URL: 'https://crossbook.example',
  DATABASE_URL: `postgres://web:${PASSWORD}@db.example/crossbook?sslmode=verify-full`,
  CHAIN_RPC_URL: 'https://mainnet.base.org',
  OPERATOR_PRIVATE_KEYS: `${generatePrivateKey()},${generatePrivateKey()}`,
  ATTESTOR_PRIVATE_KEY: generatePrivateKey(),
  RESOLVER_PRIVATE_KEY: generatePrivateKey(),
  VENUE_URL: 'https://external-api.kalshi.com/trade-api/v2',
  VENUE_KEY_ID: 'key',
  VENUE_PRIVATE_KEY: PEM,
  JWT_SIGNING_KEYS: JSON.stringify([jwk]),
  PUBLISHABLE_KEY: 'cbk_pub_x',
  COMPLIANCE: 'off',
};

/** Everything on this machine. */
const local: Variables = {
  ...production,
  PUBLIC_BASE_URL: undefined,
  DATABASE_URL: 'postgres://crossbook:short@127.0.0.1/crossbook',
  CHAIN_RPC_URL: 'http://127.0.0.1:8545',
  VENUE_URL: 'http://127.0.0.1:8585/trade-api/v2',
  USDC_ADDRESS: ADDRESS,
  OPERATOR_PRIVATE_KEYS: developmentWallet(0).privateKey,
  SANDBOX: 'true',
};

function problemsOf(variables: Variables): string[] {
  try {
    readConfig(variables);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('safe combinations are accepted', () => {
  expect(problemsOf(production)).toEqual([]);
  expect(readConfig(production).isProduction).toBe(true);
  expect(problemsOf(local)).toEqual([]);
  expect(readConfig(local).isProduction).toBe(false);
});

const known = developmentWallet(3).privateKey;
const shared = generatePrivateKey();

const push = makeVapidPair();

const REFUSED: [string, Variables, Variables, RegExp][] = [
  [
    'a development key on a real chain',
    production,
    { OPERATOR_PRIVATE_KEYS: known },
    /^OPERATOR_PRIVATE_KEYS: has a well-known development key/,
  ],
  [
    'a development key on a node of this machine that is of the real chain',
    production,
    { CHAIN_RPC_URL: 'http://127.0.0.1:8545', CHAIN_OWN_NODE: 'true', ATTESTOR_PRIVATE_KEY: known },
    /^ATTESTOR_PRIVATE_KEY: has a well-known development key/,
  ],
  [
    'a key that can be guessed',
    production,
    { RESOLVER_PRIVATE_KEY: `0x${'11'.repeat(32)}` },
    /^RESOLVER_PRIVATE_KEY: .* guessable/,
  ],
  [
    'one key with two powers',
    production,
    { ATTESTOR_PRIVATE_KEY: shared, RESOLVER_PRIVATE_KEY: shared },
    /^RESOLVER_PRIVATE_KEY: is the same key as ATTESTOR_PRIVATE_KEY/,
  ],
  [
    'an absence that is proven while the exchange still takes the message',
    production,
    { EXCHANGE_ABSENCE_SECONDS: '15' },
    /^EXCHANGE_ABSENCE_SECONDS: with 15 an order could be refunded and filled afterwards.*at least 35$/,
  ],
  [
    'a tolerance of the exchange that its absence was not made for',
    local,
    { EXCHANGE_SIGNATURE_TOLERANCE_SECONDS: '60' },
    /^EXCHANGE_ABSENCE_SECONDS: with 45 .*at least 65$/,
  ],
  [
    'shares of shards that are not everything',
    local,
    { EXCHANGE_SHARDS: '0:60:1000,2:30:500' },
    /^EXCHANGE_SHARDS: the shares add up to 90 percent; make them 100$/,
  ],
  [
    'a shard that is named twice',
    local,
    { EXCHANGE_SHARDS: '0:60:1000,0:40:500' },
    /^EXCHANGE_SHARDS: names a shard twice; name each once$/,
  ],
  [
    'a shard without a minimum',
    local,
    { EXCHANGE_SHARDS: '0:60:1000,2:40' },
    /^EXCHANGE_SHARDS: must be shard:percent:minimum dollars/,
  ],
  [
    'a key for notifications that can be guessed',
    production,
    { VAPID_PRIVATE_KEY: Buffer.alloc(32, 1).toString('base64url') },
    /^VAPID_PRIVATE_KEY: .* guessable/,
  ],
  [
    'two keys for notifications that are no pair',
    production,
    { VAPID_PRIVATE_KEY: push.privateKey, VAPID_PUBLIC_KEY: makeVapidPair().publicKey },
    /^VAPID_PUBLIC_KEY: is not the public half/,
  ],
  [
    'a key for notifications that is none',
    production,
    { VAPID_PUBLIC_KEY: push.privateKey },
    /^VAPID_PUBLIC_KEY: must be a public key/,
  ],
  [
    'the sandbox exchange with a real chain',
    production,
    { VENUE_URL: 'http://127.0.0.1:8585/trade-api/v2' },
    /^VENUE_URL: a sandbox exchange with a real chain/,
  ],
  [
    'the demo exchange with a real chain',
    production,
    { VENUE_URL: 'https://demo-api.kalshi.co/trade-api/v2' },
    /^VENUE_URL: a demo exchange with a real chain/,
  ],
  [
    'the real exchange with the local chain',
    local,
    { VENUE_URL: production.VENUE_URL },
    /^VENUE_URL: the real exchange with a local chain/,
  ],
  [
    'the real exchange with a local chain that does not say it is the sandbox',
    local,
    { SANDBOX: undefined, VENUE_URL: production.VENUE_URL },
    /^VENUE_URL: the real exchange with a local chain/,
  ],
  [
    'prices of one exchange and orders at another',
    production,
    { VENUE_WS_URL: 'wss://external-api-ws.demo.kalshi.co/trade-api/ws/v2' },
    /^VENUE_WS_URL: belongs to another exchange/,
  ],
  [
    'a sandbox on a chain elsewhere',
    local,
    { CHAIN_RPC_URL: 'https://mainnet.base.org' },
    /^SANDBOX: the sandbox runs on a loopback chain/,
  ],
  [
    'the faucet and demo wallets on the real chain',
    local,
    { CHAIN_OWN_NODE: 'true' },
    /^SANDBOX: together with CHAIN_OWN_NODE/,
  ],
  [
    'a sandbox that others can reach',
    local,
    { HOST: '0.0.0.0' },
    /^HOST: 0\.0\.0\.0 lets others .* development keys/,
  ],
  ['a sandbox that others can reach by the newer protocol', local, { HOST: '::' }, /^HOST: ::/],
  [
    'faults on demand outside the sandbox',
    production,
    { SANDBOX_FAULT_DIR: '/tmp/faults' },
    /^SANDBOX_FAULT_DIR/,
  ],
  [
    'a faucet outside the sandbox',
    production,
    { FAUCET_PRIVATE_KEY: generatePrivateKey() },
    /^FAUCET_PRIVATE_KEY/,
  ],
  ['a shared sandbox that is none', production, { SANDBOX_SHARED: 'true' }, /^SANDBOX_SHARED/],
  [
    'a database elsewhere without TLS',
    production,
    { DATABASE_URL: `postgres://web:${PASSWORD}@db.example/crossbook` },
    /^DATABASE_URL: goes to db\.example without TLS/,
  ],
  [
    'a remote database whose certificate is not checked',
    production,
    { DATABASE_URL: `postgres://web:${PASSWORD}@db.example/crossbook?sslmode=no-verify` },
    /^DATABASE_URL: goes to db\.example with sslmode=no-verify/,
  ],
  [
    'a pooler in front of it without TLS',
    production,
    { DATABASE_DIRECT_URL: `postgres://web:${PASSWORD}@10.0.0.5/crossbook` },
    /^DATABASE_DIRECT_URL: goes to 10\.0\.0\.5 without TLS/,
  ],
  [
    'a replica elsewhere without TLS',
    production,
    {
      DATABASE_REPLICA_URLS: `postgres://web:${PASSWORD}@localhost/crossbook,postgres://web:${PASSWORD}@10.0.0.6/crossbook`,
    },
    /^DATABASE_REPLICA_URLS: goes to 10\.0\.0\.6 without TLS/,
  ],
  [
    'a failover that loses acknowledged orders, with real money',
    production,
    { DATABASE_FAILOVER: 'asynchronous' },
    /^DATABASE_FAILOVER: an asynchronous standby lacks the last acknowledged orders/,
  ],
  [
    'a database elsewhere without TLS on a sandbox',
    local,
    { DATABASE_URL: `postgres://web:${PASSWORD}@db.example/crossbook` },
    /^DATABASE_URL: goes to db\.example without TLS/,
  ],
  [
    'a password that everybody knows',
    production,
    { DATABASE_URL: 'postgres://postgres:postgres@localhost/crossbook' },
    /^DATABASE_URL: has a well-known password/,
  ],
  [
    'a short password',
    production,
    { DATABASE_URL: 'postgres://web:x7Gq2@localhost/crossbook' },
    /^DATABASE_URL: has a password of less than 16/,
  ],
  [
    'an empty list of signing keys',
    production,
    { JWT_SIGNING_KEYS: '[]' },
    /^JWT_SIGNING_KEYS: is not a JSON array/,
  ],
  [
    'a signing key that is one byte again and again',
    production,
    {
      JWT_SIGNING_KEYS: JSON.stringify([{ ...jwk, d: Buffer.alloc(32, 1).toString('base64url') }]),
    },
    /^JWT_SIGNING_KEYS: has a key that is short/,
  ],
  [
    'a signing key without its private half',
    production,
    { JWT_SIGNING_KEYS: JSON.stringify([{ ...jwk, d: undefined }]) },
    /^JWT_SIGNING_KEYS: has a key that is short/,
  ],
  [
    'a short key of the exchange',
    production,
    { VENUE_PRIVATE_KEY: pemOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey) },
    /^VENUE_PRIVATE_KEY: has less than 2048 bits/,
  ],
  [
    'a key of the exchange that is none',
    local,
    { VENUE_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----\nx' },
    /^VENUE_PRIVATE_KEY: is not an RSA or Ed25519/,
  ],
  [
    'a public address without https',
    production,
    { PUBLIC_BASE_URL: 'http://crossbook.example' },
    /^PUBLIC_BASE_URL: plain http/,
  ],
  [
    'no public address on a real chain',
    production,
    { PUBLIC_BASE_URL: undefined },
    /^PUBLIC_BASE_URL: must be the public https URL/,
  ],
  [
    'undecided compliance settings',
    production,
    { COMPLIANCE: undefined },
    /^COMPLIANCE: is not set/,
  ],
  [
    'a node elsewhere over plain http',
    production,
    { CHAIN_RPC_URL: 'http://node.example' },
    /^CHAIN_RPC_URL: .* https/,
  ],
  [
    'an exchange over plain http',
    production,
    { VENUE_URL: 'http://external-api.kalshi.com/trade-api/v2' },
    /^VENUE_URL: .* https/,
  ],
  [
    'a dollar that is not the one of Base',
    production,
    { USDC_ADDRESS: ADDRESS },
    /^USDC_ADDRESS: is not the USDC of Base/,
  ],
  [
    'certificates that are not checked',
    production,
    { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    /^NODE_TLS_REJECT_UNAUTHORIZED/,
  ],
  [
    'a key at a key service without one',
    production,
    { ATTESTOR_PRIVATE_KEY: 'kms:attestor' },
    /^KEY_SERVICE_URL: is missing, but ATTESTOR_PRIVATE_KEY/,
  ],
  [
    'a signing key at a key service without one',
    production,
    { JWT_SIGNING_KEYS: '["kms:jwt"]' },
    /^KEY_SERVICE_URL: is missing, but JWT_SIGNING_KEYS/,
  ],
  [
    'a key service over plain http',
    production,
    { KEY_SERVICE_URL: 'http://kms.example' },
    /^KEY_SERVICE_URL: plain http/,
  ],
  [
    'a short token of the key service',
    production,
    { KEY_SERVICE_URL: 'https://kms.example', KEY_SERVICE_TOKEN: 'short' },
    /^KEY_SERVICE_TOKEN/,
  ],
];

test.each(REFUSED)(
  '%s is refused, with its cure and no other problem',
  (_what, base, changes, refusal) => {
    const problems = problemsOf({ ...base, ...changes });
    expect(problems).toEqual([expect.stringMatching(refusal)]);
    expect(problems[0]).toMatch(/[;,] /);
  },
);

test.each([
  ['a socket file', 'postgres:///crossbook?host=/var/run/postgresql'],
  ['a socket file with a name', 'postgres://web@localhost/crossbook?host=/var/run/postgresql'],
  ['this machine', `postgres://web:${PASSWORD}@127.0.0.1/crossbook`],
  ['a certificate that is checked', `postgres://web:${PASSWORD}@db/crossbook?sslmode=require`],
])('a database over %s needs nothing else', (_what, url) => {
  expect(problemsOf({ ...production, DATABASE_URL: url })).toEqual([]);
});

test('several problems are reported at once', () => {
  const problems = problemsOf({
    ...production,
    OPERATOR_PRIVATE_KEYS: known,
    VENUE_URL: 'https://demo-api.kalshi.co/trade-api/v2',
    DATABASE_URL: 'postgres://postgres:postgres@db.example/crossbook',
    PUBLIC_BASE_URL: 'http://crossbook.example',
    LOG_LEVEL: 'loud',
  });
  expect(problems.map((line) => line.split(':', 1).join('')).toSorted()).toEqual([
    'DATABASE_URL',
    'DATABASE_URL',
    'LOG_LEVEL',
    'OPERATOR_PRIVATE_KEYS',
    'PUBLIC_BASE_URL',
    'VENUE_URL',
  ]);
});
