import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkEnvironment, embeddedParts, serverEnvironment } from './environment.ts';
import { loadSecrets, type Secrets } from './secrets.ts';

let secrets: Secrets;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-secrets-'));
  secrets = await loadSecrets(join(folder, 'secrets.json'));
  return () => rmSync(folder, { recursive: true });
});

describe('the secrets of a sandbox', () => {
  it('are created once and readable by their owner only', async () => {
    const path = join(folder, 'secrets.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await loadSecrets(path)).toEqual(secrets);
    const { operators, ...others } = secrets.chain;
    expect(new Set([...operators, ...Object.values(others)]).size).toBe(operators.length + 5);
  });

  it('given an older sandbox, are completed with new ones', async () => {
    const path = join(folder, 'older.json');
    const { vapid: _newer, savedItemsKey: _newest, ...older } = secrets;
    writeFileSync(path, JSON.stringify(older));
    const completed = await loadSecrets(path);
    expect(completed).toMatchObject(older);
    expect(completed.vapid.publicKey).not.toBe(secrets.vapid.publicKey);
    expect(completed.savedItemsKey).not.toBe(secrets.savedItemsKey);
    expect(await loadSecrets(path)).toEqual(completed);
  });

  it('given a damaged file, are not silently replaced', async () => {
    const path = join(folder, 'damaged.json');
    writeFileSync(path, '{"apiKey": "cbk_test_');
    await expect(loadSecrets(path)).rejects.toMatchObject({
      name: 'StartProblem',
      message: expect.stringContaining('damaged'),
      cure: expect.stringContaining('npm run reset'),
    });
  });
});

describe('the environment of the servers', () => {
  const usdc = '0x0000000000000000000000000000000000000002';
  const contracts = {
    usdc,
    outcomeToken: usdc,
    swapVault: usdc,
    settlement: usdc,
    accountFactory: usdc,
  } as const;

  it('given only embedded parts, is complete on any machine', () => {
    const config = checkEnvironment({ PATH: '/bin' }, secrets, 3123);
    expect(config.port).toBe(3123);
    expect(config.chain.sandbox).toBe(true);
    const environment = serverEnvironment({}, secrets, {
      port: 3123,
      databaseUrl: 'postgres://embedded',
      chain: { rpcUrl: 'http://127.0.0.1:8545', contracts },
      exchangeUrl: 'http://127.0.0.1:8585/trade-api/v2',
    });
    expect(environment).toMatchObject({
      DATABASE_URL: 'postgres://embedded',
      CHAIN_RPC_URL: 'http://127.0.0.1:8545',
      USDC_ADDRESS: usdc,
      VENUE_KEY_ID: secrets.exchange.keyId,
      VENUE_WS_URL: 'ws://127.0.0.1:8585/trade-api/ws/v2',
    });
  });

  it('keeps a JWT key and a public key that were set', () => {
    const environment = serverEnvironment(
      { JWT_SIGNING_KEYS: '[{}]', PUBLISHABLE_KEY: 'cbk_pub_mine' },
      secrets,
      { port: 3000 },
    );
    expect(environment).toMatchObject({
      JWT_SIGNING_KEYS: '[{}]',
      PUBLISHABLE_KEY: 'cbk_pub_mine',
    });
  });

  it('given an external part, gets none of our values for it', () => {
    const set = { CHAIN_RPC_URL: 'https://base.example', VENUE_URL: 'https://venue.example' };
    expect(embeddedParts(set)).toEqual({ database: true, chain: false, exchange: false });
    expect(() => checkEnvironment(set, secrets, 3000)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/OPERATOR_PRIVATE_KEYS.*VENUE_KEY_ID/s),
        cure: expect.stringContaining('environment variables'),
      }),
    );
  });
});
