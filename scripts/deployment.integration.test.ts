import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import {
  createWalletClient,
  type Hex,
  http,
  keccak256,
  parseEther,
  publicActions,
  toBytes,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { developmentWallet } from '#contracts/deployment/developmentKeys.ts';
import { createClient } from '#lib/api/client.ts';
import { requestChain } from '#sandbox/chain/rpcCall.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { loadSecrets } from '#sandbox/secrets.ts';
import { controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import {
  createTrader,
  fetchToken,
  findLiquidMarket,
  orderBody,
  signIn,
  type Trader,
  untilComplete,
} from '#sandbox/testing/trader.ts';
import { announceSigningKey, switchSigningKeys } from '#server/domain/auth/signingKeys.ts';
import { migrateDatabase } from '#server/platform/database/migrate.ts';
import {
  type KeyServiceServer,
  startKeyService,
} from '#server/platform/keys/testing/keyServiceServer.ts';
import {
  type Deployment,
  describeDeployment,
  type Program,
  runScript,
  startProgram,
  startRefused,
  startSurroundings,
  type Variables,
} from './testing/deployment.ts';
import { type ExchangeKey, exchangeKeys } from './testing/exchangeKeys.ts';

/**
 * The procedures of docs/DEPLOYMENT.md and docs/KEYS.md: several of the programs at once, keys
 * rotated while they run.
 */

const WEB = 'server/api/main.ts';
const PROCESSOR = 'server/processor/main.ts';
const NOTIFICATIONS = 'server/notifier/main.ts';
const TOKEN = 'a token of the key service';

let deployment: Deployment;
let keyService: KeyServiceServer;
let baseUrl = '';
let apiKey = '';
let operators: Hex[] = [];
const newAdmin = generatePrivateKey();
const webs: Program[] = [];
const processors: Program[] = [];
const keyHosts: Program[] = [];
const senders: Program[] = [];
const ports: number[] = [];

const file = (name: string) => join(deployment.folder, name);

function webEnvironment(port: number) {
  const { JWT_SIGNING_KEYS: _keys, ...rest } = deployment.files.web;
  return {
    ...deployment.files.common,
    ...rest,
    DATABASE_URL: deployment.urls.web,
    JWT_SIGNING_KEYS_FILE: file('signing-keys'),
    PUBLIC_BASE_URL: baseUrl,
    PORT: String(port),
  };
}

function processorEnvironment() {
  const {
    OPERATOR_PRIVATE_KEYS: _keys,
    VENUE_KEY_ID: _id,
    VENUE_PRIVATE_KEY: _key,
    ...rest
  } = deployment.files.processor;
  return {
    ...deployment.files.common,
    ...rest,
    DATABASE_URL: deployment.urls.processor,
    OPERATOR_PRIVATE_KEYS_FILE: file('operator-keys'),
    VENUE_KEY_ID_FILE: file('exchange-key-id'),
    VENUE_PRIVATE_KEY_FILE: file('exchange-key'),
    KEY_SERVICE_URL: keyService.url,
    KEY_SERVICE_TOKEN: TOKEN,
  };
}

/** A host that has one key of the chain, and none of the exchange. */
const signerEnvironment = (key: 'attestor' | 'resolver') => ({
  ...deployment.files.common,
  ...deployment.files[key],
  DATABASE_URL: deployment.urls.processor,
});

function environmentOf(entry: string, port: number) {
  if (entry === WEB) return webEnvironment(port);
  return entry === PROCESSOR ? processorEnvironment() : notificationsEnvironment();
}

function notificationsEnvironment() {
  const { common, notifications } = deployment.files;
  return { ...common, ...notifications, DATABASE_URL: deployment.urls.notifications };
}

/** The key that the exchange was started with. */
const firstExchangeKey = (): ExchangeKey => ({
  keyId: deployment.files.processor.VENUE_KEY_ID ?? '',
  privateKeyPem: (deployment.files.processor.VENUE_PRIVATE_KEY ?? '').replaceAll('\\n', '\n'),
});

function writeExchangeKey(key: ExchangeKey): void {
  writeFileSync(file('exchange-key-id'), key.keyId);
  writeFileSync(file('exchange-key'), key.privateKeyPem);
}

const sandboxOf = (index = 0) =>
  describeDeployment(deployment, { baseUrl: `http://127.0.0.1:${ports[index]}`, apiKey });

beforeAll(async () => {
  deployment = await startSurroundings();
  keyService = await startKeyService({ 'operator-2': { chainKey: newAdmin } }, { token: TOKEN });
  ports.push(await anyFreePort(), await anyFreePort());
  baseUrl = `http://localhost:${ports[0]}`;
  operators = (deployment.files.processor.OPERATOR_PRIVATE_KEYS ?? '').split(',') as Hex[];
  writeFileSync(file('operator-keys'), operators.join('\n'));
  writeFileSync(file('signing-keys'), deployment.files.web.JWT_SIGNING_KEYS ?? '');
  writeExchangeKey(firstExchangeKey());
});

afterAll(async () => {
  const programs = [...webs, ...processors, ...keyHosts, ...senders];
  await Promise.all(programs.map((program) => program.stop()));
  await keyService?.close();
  await deployment?.stop();
});

describe('a rejected start', () => {
  const real = 'https://external-api.kalshi.com/trade-api/v2';
  const base = 'https://mainnet.base.org';
  const known = developmentWallet(0).privateKey;

  const of = (_what: string, entry: string, changes: Variables, said: string) => {
    const environment = environmentOf(entry, ports[0] ?? 0);
    const { status, stderr } = startRefused(entry, { ...environment, ...changes });
    expect(stderr).toContain('The configuration is not usable:');
    expect(stderr).toContain(said);
    expect(status).toBe(78);
  };

  // The unit tests of the configuration have them all; this shows that a program heeds it.
  test('development keys off loopback', { tags: ['long'] }, () => {
    const changes = {
      SANDBOX: '',
      CHAIN_RPC_URL: base,
      VENUE_URL: real,
      VENUE_WS_URL: '',
      OPERATOR_PRIVATE_KEYS_FILE: '',
      OPERATOR_PRIVATE_KEYS: known,
    };
    of('', PROCESSOR, changes, 'OPERATOR_PRIVATE_KEYS: has a well-known development key');
  });

  test.each([
    [
      'no TLS to the database',
      WEB,
      { DATABASE_URL: 'postgres://web:long-enough-for-anybody@db.example/crossbook' },
      'DATABASE_URL: goes to db.example without TLS',
    ],
    [
      'the sandbox exchange with a real chain',
      PROCESSOR,
      { SANDBOX: '', CHAIN_RPC_URL: base },
      'VENUE_URL: a sandbox exchange with a real chain',
    ],
    [
      'the real exchange with the local chain',
      PROCESSOR,
      { VENUE_URL: real, VENUE_WS_URL: '' },
      'VENUE_URL: the real exchange with a local chain',
    ],
    [
      'default secrets',
      WEB,
      { DATABASE_URL: 'postgres://postgres:postgres@db.example/crossbook?sslmode=verify-full' },
      'DATABASE_URL: has a well-known password',
    ],
    [
      'compliance undecided with real money',
      WEB,
      { SANDBOX: '', CHAIN_RPC_URL: base, VENUE_URL: real, VENUE_WS_URL: '' },
      'COMPLIANCE: is not set',
    ],
    [
      'a public address without https',
      WEB,
      { SANDBOX: '', PUBLIC_BASE_URL: 'http://crossbook.example' },
      'PUBLIC_BASE_URL: plain http',
    ],
    ['the sandbox for everybody', WEB, { HOST: '0.0.0.0' }, 'HOST: 0.0.0.0 lets others'],
  ])('%s', { tags: ['long'] }, of);
});

describe('before there are tables', () => {
  for (const [what, entry, tags] of [
    ['a web server', WEB, []],
    ['a processor', PROCESSOR, ['long']],
    ['a sender of notifications', NOTIFICATIONS, ['long']],
  ] as const) {
    test(`${what} exits with a hint, and can be started again`, { tags: [...tags] }, () => {
      const { status, stderr } = startRefused(entry, {
        ...environmentOf(entry, ports[0] ?? 0),
        DATABASE_URL: deployment.ownerUrl,
      });
      expect(stderr).toMatch(/the database lacks 0000_initial.*npm run migrate/s);
      expect(status).toBe(75);
    });
  }

  test('given two concurrent migrations, both succeed, and the roles follow', async () => {
    const environment = { DATABASE_URL: deployment.ownerUrl };
    const both = await Promise.all([
      runScript('scripts/migrate.ts', [], environment),
      runScript('scripts/migrate.ts', [], environment),
    ]);
    expect(both.map(({ code, output }) => (code === 0 ? '' : output))).toEqual(['', '']);
    const { passwords } = deployment;
    const roles = await runScript('scripts/db-roles.ts', [], {
      ...environment,
      DATABASE_WEB_PASSWORD: passwords.web,
      DATABASE_PROCESSOR_PASSWORD: passwords.processor,
      DATABASE_NOTIFICATIONS_PASSWORD: passwords.notifications,
      DATABASE_OPERATOR_PASSWORD: passwords.operator,
    });
    expect(roles.output).toContain('are applied');
    const again = await runScript('scripts/migrate.ts', [], environment);
    expect(again.output).toContain('The rights of the roles are up to date.');
  });

  test('only the owner may migrate', async () => {
    await expect(migrateDatabase(deployment.urls.web)).rejects.toMatchObject({
      cause: { code: '42501' },
    });
  });
});

describe('two web servers and two processors, with the attestor and the resolver apart', () => {
  test('become ready, each under the role of its own', { timeout: 420_000 }, async () => {
    // Two at a time: a start takes seconds of one core, and each program must be ready in a minute.
    const startPair = (name: string, entry: string, environments: Variables[]) =>
      Promise.all(
        environments.map((environment, index) =>
          startProgram(deployment, `${name}-${index}`, { entry, environment }),
        ),
      );
    const signers = [signerEnvironment('attestor'), signerEnvironment('resolver')];
    webs.push(...(await startPair('web', WEB, ports.map(webEnvironment))));
    processors.push(
      ...(await startPair('processor', PROCESSOR, [
        processorEnvironment(),
        processorEnvironment(),
      ])),
    );
    keyHosts.push(...(await startPair('signer', PROCESSOR, signers)));
    senders.push(
      ...(await startPair('notifications', NOTIFICATIONS, [notificationsEnvironment()])),
    );
    const made = await runScript(
      'scripts/api-key.ts',
      ['--name', 'Test', '--scopes', 'read,trade,withdraw'],
      {
        DATABASE_URL: deployment.urls.operator,
      },
    );
    apiKey = made.output.trim();
    expect(apiKey).toMatch(/^cbk_live_/);
    const programs = [...webs, ...processors, ...keyHosts, ...senders];
    // Idle connections are closed after a while: each program queries its database once more.
    await Promise.all(programs.map(({ opsUrl }) => fetch(`${opsUrl}/readyz`)));
    const { rows } = await deployment.owner.query<{ who: string }>(
      `select distinct usename || ' ' || application_name as who from pg_stat_activity
       where application_name like 'crossbook-%'`,
    );
    const users = new Set(rows.map(({ who }) => who.split(' ', 1).join('')));
    expect([...users].toSorted((a, b) => a.localeCompare(b))).toEqual([
      'crossbook_notifications',
      'crossbook_processor',
      'crossbook_web',
    ]);
  });

  test('serve health and metrics on the separate port, and health on the web port', async () => {
    for (const { opsUrl } of [...webs, ...processors, ...senders]) {
      expect((await fetch(`${opsUrl}/healthz`)).status).toBe(200);
      const metrics = await fetch(`${opsUrl}/metrics`);
      expect(await metrics.text()).toContain('# TYPE');
    }
    const ready = await fetch(`http://127.0.0.1:${ports[0]}/readyz`);
    expect(await ready.json()).toEqual({ status: 'ready', parts: { database: 'ok' } });
  });

  test('serve the same pages, each with the assets of the other', async () => {
    const bases = ports.map((port) => `http://127.0.0.1:${port}`);
    const [first, second] = await Promise.all(
      bases.map(async (base) => {
        const response = await fetch(base);
        expect(response.status).toBe(200);
        expect(response.headers.get('content-security-policy')).toMatch(/script-src [^;]*'nonce-/);
        const page = await response.text();
        return page.match(/\/_next\/static\/[\w./-]+\.js/g) ?? [];
      }),
    );
    expect(first?.length).toBeGreaterThan(0);
    for (const path of first ?? []) {
      expect((await fetch(`${bases[1]}${path}`)).status, path).toBe(200);
    }
    expect(new Set(second)).toEqual(new Set(first));
  });

  test('name the public address in previews of their pages, whatever port they listen on', async () => {
    const ticker = await findLiquidMarket(await signIn(sandboxOf(0)));
    for (const path of ['/', '/developers', `/markets/${ticker}`]) {
      const html = await (await fetch(`http://127.0.0.1:${ports[1]}${path}`)).text();
      const [, picture = ''] = /<meta property="og:image" content="([^"]+)"/.exec(html) ?? [];
      expect(new URL(picture).origin, path).toBe(baseUrl);
    }
  });

  test('complete orders placed at either, even after one of each has stopped', async () => {
    const trader = await createTrader(sandboxOf(0));
    const ticker = await findLiquidMarket(trader);
    await expectBought(await buy(trader, ticker), trader);
    const [web, processor] = [webs.pop(), processors.pop()];
    const begun = performance.now();
    await Promise.all([web?.stop(), processor?.stop()]);
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect([await web?.exited, await processor?.exited]).toEqual(['code 0', 'code 0']);
    await expectBought(await buy(trader, ticker), trader);
  });
});

test('given blocks that stop, a gift of test funds waits without a transaction in the database', async () => {
  const chain = controlChainFaults(sandboxOf(0));
  const trader = await signIn(sandboxOf(0));
  await chain.holdMining();
  const gift = trader.api.requestFunds(trader.wallet.address);
  await expect.poll(countPending).toBe(2);
  await expect.poll(readOpenTransactions).toEqual([]);
  await chain.releaseMining();
  expect(await gift).toMatchObject({ usdc: '10000', native: '1' });
});

/** Last statements of the web servers' transactions that wait for something else than the database. */
async function readOpenTransactions(): Promise<unknown[]> {
  const { rows } = await deployment.owner.query<{ query: string }>(
    `select query from pg_stat_activity
     where application_name = 'crossbook-web' and state = 'idle in transaction'`,
  );
  return rows;
}

/** Transactions that wait for a block. */
async function countPending(): Promise<number> {
  const url = deployment.files.common.CHAIN_RPC_URL ?? '';
  return Number(((await requestChain(url, 'txpool_status')) as { pending: Hex }).pending);
}

async function buy(trader: Trader, ticker: string): Promise<string> {
  const order = {
    direction: 'BUY',
    ticker,
    side: 'yes',
    contracts: '1',
    quoteLimit: '0.99',
  } as const;
  return (await trader.api.createOrder(orderBody(sandboxOf(0), trader, order))).intent.id;
}

async function expectBought(id: string, trader: Trader): Promise<void> {
  const order = await untilComplete(trader, id);
  expect(order).toMatchObject({ status: 'completed', terminationReason: null });
}

describe('keys rotated while everything runs', { tags: ['long'] }, () => {
  test('operators: by one at a key service, while a transaction of the old one waits', async () => {
    await giveRole(privateKeyToAccount(newAdmin).address);
    const chain = controlChainFaults(sandboxOf(0));
    const trader = await createTrader(sandboxOf(0));
    const ticker = await findLiquidMarket(trader);
    await chain.holdMining();
    const id = await buy(trader, ticker);
    await expect.poll(countUnderWay).toBe(1);
    const [processor] = processors;
    writeFileSync(file('operator-keys'), 'kms:operator-2\n');
    process.kill(processor?.pids[0] ?? 0, 'SIGHUP');
    await expect
      .poll(() => readFileSync(processor?.logFile ?? '', 'utf8'))
      .toContain('keys reloaded');
    await chain.releaseMining();
    await expectBought(id, trader);
    const signers = await signersOf(id);
    expect(signers).toContain(addressOf(newAdmin));
    expect(signers.filter((one) => one !== addressOf(newAdmin))).toHaveLength(1);
    expect(keyService.signatures.get('operator-2')).toBeGreaterThan(0);
    await expect.poll(countUnderWay).toBe(0);
    const later = await buy(trader, ticker);
    await expectBought(later, trader);
    expect(await signersOf(later)).toEqual([addressOf(newAdmin)]);
  });

  test('given a silent key service, orders are delayed, and nothing is lost or done twice', async () => {
    const trader = await createTrader(sandboxOf(0));
    const ticker = await findLiquidMarket(trader);
    keyService.faults.silent = 4;
    await expectBought(await buy(trader, ticker), trader);
    const { rows } = await deployment.owner.query(
      'select signer, nonce from chain_transactions group by signer, nonce having count(*) > 1',
    );
    expect(rows).toEqual([]);
  });

  test('the exchange: by another key of the account, and the first one is deleted', async () => {
    const first = firstExchangeKey();
    const exchangeUrl = deployment.files.common.VENUE_URL ?? '';
    const second = await exchangeKeys(exchangeUrl, first).generate('second');
    const trader = await createTrader(sandboxOf(0));
    const ticker = await findLiquidMarket(trader);
    const under = await buy(trader, ticker);
    writeExchangeKey(second);
    const [processor] = processors;
    const timesRead = () =>
      readFileSync(processor?.logFile ?? '', 'utf8').split('keys reloaded').length;
    const before = timesRead();
    process.kill(processor?.pids[0] ?? 0, 'SIGHUP');
    await expect.poll(timesRead).toBe(before + 1);
    expect(await exchangeKeys(exchangeUrl, second).delete(first.keyId)).toBe(204);
    expect(await exchangeKeys(exchangeUrl, first).readBalance()).toBe(401);
    await expectBought(under, trader);
    await expectBought(await buy(trader, ticker), trader);
  });

  test('tokens: announced and switched, while older tokens stay good', async () => {
    const trader = await createTrader(sandboxOf(0));
    const before = deployment.files.web.JWT_SIGNING_KEYS ?? '';
    const announced = await announceSigningKey(before);
    for (const value of [announced, switchSigningKeys(announced)]) {
      const kids = (JSON.parse(value) as { kid: string }[]).map(({ kid }) => kid);
      writeFileSync(file('signing-keys'), value);
      process.kill(webs[0]?.pids[0] ?? 0, 'SIGHUP');
      await expect.poll(publishedKids).toEqual(kids);
      expect((await trader.api.getAccount(trader.wallet.address)).owner).toBe(
        trader.wallet.address,
      );
    }
    const anonymous = createClient({ baseUrl: sandboxOf(0).baseUrl, apiKey });
    const token = await fetchToken(anonymous, trader.wallet);
    const [header = ''] = token.split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
    expect(kid).toBe((await publishedKids())[0]);
  });

  test('given unreadable keys, the previous ones stay in use', async () => {
    const kids = await publishedKids();
    writeFileSync(file('signing-keys'), 'not a key');
    process.kill(webs[0]?.pids[0] ?? 0, 'SIGHUP');
    const [web] = webs;
    await expect
      .poll(() => readFileSync(web?.logFile ?? '', 'utf8'))
      .toContain('the previous keys stay in use');
    expect(await publishedKids()).toEqual(kids);
  });
});

const addressOf = (key: Hex) => privateKeyToAccount(key).address as string;

async function publishedKids(): Promise<string[]> {
  const response = await fetch(`${sandboxOf(0).baseUrl}/.well-known/jwks.json`);
  return ((await response.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
}

async function signersOf(id: string): Promise<string[]> {
  const { rows } = await deployment.owner.query<{ signer: string }>(
    `select distinct t.signer from chain_transactions t
     join chain_operations o on o.transaction_id = t.id where o.order_id = $1 and o.kind <> 'attest'`,
    [id],
  );
  return rows.map(({ signer }) => signer);
}

async function countUnderWay(): Promise<number> {
  const { rowCount } = await deployment.owner.query(
    `select 1 from chain_transactions where state in ('signed', 'lost')`,
  );
  return rowCount ?? 0;
}

/** The vault admin's calls for a new operator, and gas for it. */
async function giveRole(operator: Hex): Promise<void> {
  const { chain } = await loadSecrets(join(deployment.folder, 'data', 'secrets.json'));
  const { rpcUrl, contracts } = sandboxOf(0);
  const send = (key: Hex) =>
    createWalletClient({ account: privateKeyToAccount(key), transport: http(rpcUrl) }).extend(
      publicActions,
    );
  const admin = send(chain.admin);
  const role = keccak256(toBytes('OPERATOR'));
  const hash = await admin.writeContract({
    chain: null,
    address: contracts.swapVault,
    abi: swapVaultAbi,
    functionName: 'grantRole',
    args: [role, operator],
  });
  expect((await admin.waitForTransactionReceipt({ hash })).status).toBe('success');
  const faucet = send(chain.faucet);
  const paid = await faucet.sendTransaction({ chain: null, to: operator, value: parseEther('1') });
  await faucet.waitForTransactionReceipt({ hash: paid });
}

describe('the roles', () => {
  test.each([
    ['web', `update ledger_entries set amount_micros = 0`],
    ['web', `insert into chain_transactions select * from chain_transactions`],
    ['web', `update market_settlements set state = 'final'`],
    ['web', `delete from orders`],
    ['web', `delete from vault_events`],
    ['web', `update exchange_fills set fee_micros = 0`],
    ['web', `insert into market_suspensions select * from market_suspensions`],
    ['processor', `insert into api_keys select * from api_keys`],
    ['processor', `delete from orders`],
    ['processor', `update ledger_entries set amount_micros = 0`],
    ['operator', `update ledger_entries set amount_micros = 0`],
    ['notifications', `select * from orders`],
    ['notifications', `insert into chain_operations select * from chain_operations`],
    ['notifications', `update webhooks set url = 'https://elsewhere.example'`],
    ['operator', `insert into chain_transactions select * from chain_transactions`],
  ] as const)('%s may not: %s', async (role, statement) => {
    await expectDenied(role, statement);
  });

  test.each(['web', 'processor', 'notifications', 'operator'] as const)(
    '%s changes neither tables nor the audit trail, and reads no system secrets',
    async (role) => {
      for (const statement of [
        'create table mine (id int)',
        'create schema mine',
        'alter table orders add column mine int',
        'drop table orders',
        'truncate orders',
        'create index mine on orders (id)',
        `update audit_log set actor = 'nobody'`,
        'delete from audit_log',
        'truncate audit_log',
        'select rolpassword from pg_authid',
        `set role ${new URL(deployment.ownerUrl).username}`,
      ]) {
        await expectDenied(role, statement);
      }
    },
  );

  test('the web server reads tables it may not change', async () => {
    const client = new pg.Client({ connectionString: deployment.urls.web });
    await client.connect();
    try {
      const { rows } = await client.query('select count(*)::int as lines from ledger_entries');
      expect(rows[0]).toMatchObject({ lines: expect.any(Number) });
    } finally {
      await client.end();
    }
  });

  async function expectDenied(role: keyof Deployment['urls'], statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: deployment.urls[role] });
    await client.connect();
    try {
      await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
  }
});
