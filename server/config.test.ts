import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const KEY = `0x${'11'.repeat(32)}`;
const ADDRESS = `0x${'a1'.repeat(20)}`;
const usable = {
  DATABASE_URL: 'postgres://localhost/crossbook',
  CHAIN_RPC_URL: 'http://127.0.0.1:8545',
  USDC_ADDRESS: ADDRESS,
  OUTCOME_TOKEN_ADDRESS: ADDRESS,
  SWAP_VAULT_ADDRESS: ADDRESS,
  ACCOUNT_FACTORY_ADDRESS: ADDRESS,
  OPERATOR_PRIVATE_KEYS: `${KEY},${KEY}`,
  ATTESTOR_PRIVATE_KEY: KEY,
  VENUE_URL: 'http://127.0.0.1:9000/trade-api/v2',
  VENUE_KEY_ID: 'key',
  VENUE_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----\\nx\\n-----END PRIVATE KEY-----',
  JWT_SIGNING_KEYS: '[]',
  PUBLISHABLE_KEY: 'cbk_pub_x',
};

function problemsOf(changes: Record<string, string | undefined>): string[] {
  try {
    readConfig({ ...usable, ...changes });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('readConfig', () => {
  test('reads what is there and fills in the rest', () => {
    const config = readConfig(usable);
    expect(config.port).toBe(3000);
    expect(config.publicBaseUrl).toBe('http://localhost:3000');
    expect(config.chain).toMatchObject({ id: 8453, sandbox: false });
    expect(config.chain.operatorKeys).toHaveLength(2);
    expect(config.venue.privateKeyPem).toContain('\n');
  });

  test('names every wrong value at once', () => {
    const problems = problemsOf({
      PORT: '70000',
      DATABASE_URL: 'mysql://x',
      OPERATOR_PRIVATE_KEYS: '0x12',
      USDC_ADDRESS: undefined,
    });
    expect(problems.map((line) => line.split(/[.:]/)[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'USDC_ADDRESS',
      'OPERATOR_PRIVATE_KEYS',
    ]);
  });

  test('takes names from a node, and fixed ones on a sandbox only', () => {
    const names = { SANDBOX_NAMES: `alice.test=${ADDRESS}, bob.test=${ADDRESS}` };
    const onSandbox = readConfig({ ...usable, ...names, SANDBOX: 'true' });
    expect(onSandbox.names.sandbox.map((one) => one.name)).toEqual(['alice.test', 'bob.test']);
    expect(readConfig({ ...usable, NAMES_RPC_URL: 'https://rpc.example' }).names).toEqual({
      rpcUrl: 'https://rpc.example',
      sandbox: [],
    });
    expect(problemsOf(names)).toEqual([expect.stringContaining('SANDBOX_NAMES')]);
    const wrong = { SANDBOX: 'true', SANDBOX_NAMES: 'alice.test' };
    expect(problemsOf(wrong)).toEqual([expect.stringContaining('SANDBOX_NAMES')]);
  });

  test('refuses a sandbox on a chain elsewhere', () => {
    const problems = problemsOf({ SANDBOX: 'true', CHAIN_RPC_URL: 'https://mainnet.base.org' });
    expect(problems).toEqual([expect.stringContaining('SANDBOX')]);
  });

  test('refuses faults on demand outside the sandbox', () => {
    expect(problemsOf({ SANDBOX_FAULT_DIR: '/tmp/faults' })).toHaveLength(1);
    expect(problemsOf({ SANDBOX: 'true', SANDBOX_FAULT_DIR: '/tmp/faults' })).toHaveLength(0);
  });
});
