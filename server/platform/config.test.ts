import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, describe, expect, test } from 'vitest';
import { generateSigningKeyJson } from '../domain/auth/signingKeys.ts';
import { ConfigError, readConfig } from './config/config.ts';

const ADDRESS = `0x${'a1'.repeat(20)}`;
const PEM = generateKeyPairSync('ed25519')
  .privateKey.export({ format: 'pem', type: 'pkcs8' })
  .toString();
const usable = {
  DATABASE_URL: 'postgres://localhost/crossbook',
  CHAIN_RPC_URL: 'http://127.0.0.1:8545',
  USDC_ADDRESS: ADDRESS,
  OUTCOME_TOKEN_ADDRESS: ADDRESS,
  SWAP_VAULT_ADDRESS: ADDRESS,
  ACCOUNT_FACTORY_ADDRESS: ADDRESS,
  OPERATOR_PRIVATE_KEYS: `${generatePrivateKey()},${generatePrivateKey()}`,
  ATTESTOR_PRIVATE_KEY: generatePrivateKey(),
  VENUE_URL: 'http://127.0.0.1:9000/trade-api/v2',
  VENUE_KEY_ID: 'key',
  VENUE_PRIVATE_KEY: PEM.replaceAll('\n', '\\n'),
  JWT_SIGNING_KEYS: await generateSigningKeyJson(),
  PUBLISHABLE_KEY: 'cbk_pub_x',
};
const folder = mkdtempSync(join(tmpdir(), 'crossbook-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const path = join(folder, String(Math.random()));
  writeFileSync(path, text);
  return path;
}

type Changes = Record<string, string | undefined>;

function problemsOf(changes: Changes, role?: Parameters<typeof readConfig>[1]): string[] {
  try {
    readConfig({ ...usable, ...changes }, role);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const namesOf = (problems: string[]) => problems.map((line) => line.split(/[.:]/)[0]);

describe('readConfig', () => {
  test('reads the variables and adds the defaults', () => {
    const config = readConfig(usable);
    expect(config.port).toBe(3000);
    expect(config.publicBaseUrl).toBe('http://localhost:3000');
    expect(config.chain).toMatchObject({ id: 8453, sandbox: false });
    expect(config.chain.keys.operators).toHaveLength(2);
    expect(config.exchange.key?.source).toEqual({ kind: 'local', value: PEM });
    expect(config.isProduction).toBe(false);
  });

  test('names every wrong value and every unsafe combination at once', () => {
    const problems = problemsOf({
      PORT: '70000',
      DATABASE_URL: 'mysql://x',
      OPERATOR_PRIVATE_KEYS: '0x12',
      USDC_ADDRESS: undefined,
      ATTESTOR_PRIVATE_KEY: undefined,
      PUBLIC_BASE_URL: 'http://crossbook.example',
      VENUE_PRIVATE_KEY: 'no key',
      SANDBOX_NAMES: `alice.test=${ADDRESS}`,
    });
    expect(namesOf(problems)).toEqual([
      'PORT',
      'DATABASE_URL',
      'USDC_ADDRESS',
      'OPERATOR_PRIVATE_KEYS',
      'VENUE_PRIVATE_KEY',
      'ATTESTOR_PRIVATE_KEY',
      'SANDBOX_NAMES',
      'PUBLIC_BASE_URL',
    ]);
  });

  test('reads names from a node, and accepts fixed ones in a sandbox only', () => {
    const names = { SANDBOX_NAMES: `alice.test=${ADDRESS}, bob.test=${ADDRESS}` };
    const onSandbox = readConfig({ ...usable, ...names, SANDBOX: 'true' });
    expect(onSandbox.names.sandbox.map((one) => one.name)).toEqual(['alice.test', 'bob.test']);
    expect(readConfig({ ...usable, NAMES_RPC_URL: 'https://rpc.example' }).names).toEqual({
      rpcUrl: 'https://rpc.example',
      sandbox: [],
    });
    const wrong = { SANDBOX: 'true', SANDBOX_NAMES: 'alice.test' };
    expect(problemsOf(wrong)).toEqual([expect.stringContaining('SANDBOX_NAMES')]);
  });
});

describe('secrets', () => {
  test('are required only of the process that needs them', () => {
    const none = {
      OPERATOR_PRIVATE_KEYS: undefined,
      ATTESTOR_PRIVATE_KEY: undefined,
      VENUE_KEY_ID: undefined,
      VENUE_PRIVATE_KEY: undefined,
      JWT_SIGNING_KEYS: undefined,
      PUBLISHABLE_KEY: undefined,
    };
    expect(problemsOf(none, 'tool')).toEqual([]);
    expect(namesOf(problemsOf(none, 'web'))).toEqual(['JWT_SIGNING_KEYS', 'PUBLISHABLE_KEY']);
    expect(namesOf(problemsOf(none, 'processor'))).toEqual([
      'OPERATOR_PRIVATE_KEYS',
      'VENUE_KEY_ID',
      'VENUE_PRIVATE_KEY',
    ]);
    expect(problemsOf(none)).toHaveLength(6);
  });

  test('of the exchange are required only of a processor with operators', () => {
    const none = {
      OPERATOR_PRIVATE_KEYS: undefined,
      ATTESTOR_PRIVATE_KEY: undefined,
      VENUE_KEY_ID: undefined,
      VENUE_PRIVATE_KEY: undefined,
    };
    const alone = (name: string) =>
      namesOf(problemsOf({ ...none, [name]: generatePrivateKey() }, 'processor'));
    expect(alone('ATTESTOR_PRIVATE_KEY')).toEqual([]);
    expect(alone('RESOLVER_PRIVATE_KEY')).toEqual([]);
    expect(alone('OPERATOR_PRIVATE_KEYS')).toEqual(['VENUE_KEY_ID', 'VENUE_PRIVATE_KEY']);
  });

  test('come from files as well, one key per line', () => {
    const keys = [generatePrivateKey(), generatePrivateKey(), generatePrivateKey()];
    const config = readConfig({
      ...usable,
      OPERATOR_PRIVATE_KEYS: undefined,
      OPERATOR_PRIVATE_KEYS_FILE: fileWith(`${keys.join('\n')}\n`),
      VENUE_PRIVATE_KEY: '',
      VENUE_PRIVATE_KEY_FILE: fileWith(PEM),
    });
    expect(config.chain.keys.operators).toEqual(keys.map((value) => ({ kind: 'local', value })));
    expect(config.exchange.key?.source.kind).toBe('local');
  });

  test('in a missing file, or in a file beside the variable itself, are refused', () => {
    const path = join(folder, 'nowhere');
    expect(
      problemsOf({ ATTESTOR_PRIVATE_KEY: undefined, ATTESTOR_PRIVATE_KEY_FILE: path }, 'tool'),
    ).toEqual([expect.stringMatching(/^ATTESTOR_PRIVATE_KEY_FILE: .*nowhere.*ENOENT/)]);
    expect(problemsOf({ VENUE_KEY_ID_FILE: fileWith('other') })).toEqual([
      expect.stringMatching(/^VENUE_KEY_ID: is set together with VENUE_KEY_ID_FILE/),
    ]);
  });

  test('may be with a key service', () => {
    const config = readConfig({
      ...usable,
      OPERATOR_PRIVATE_KEYS: `kms:alias/operator-1,${generatePrivateKey()}`,
      VENUE_PRIVATE_KEY: 'kms:alias/exchange',
      KEY_SERVICE_URL: 'http://127.0.0.1:8080',
      KEY_SERVICE_TOKEN: 'a token of the key service',
    });
    expect(config.chain.keys.operators[0]).toEqual({ kind: 'service', keyId: 'alias/operator-1' });
    expect(config.exchange.key?.source).toEqual({ kind: 'service', keyId: 'alias/exchange' });
    expect(config.keyService).toMatchObject({ url: 'http://127.0.0.1:8080' });
  });
});
