import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '#sandbox/process/liveness.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { startDatabase } from './startDatabase.ts';

const isRoot = process.getuid?.() === 0;
const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A folder like one in a checkout that only its owner may read. */
function makeDataDir(): string {
  const root = mkdtempSync(join(tmpdir(), 'crossbook-database-'));
  chmodSync(root, 0o700);
  cleanups.push(() => rmSync(root, { recursive: true, force: true }));
  return join(root, 'postgres');
}

async function start(dataDir: string, port?: number) {
  const database = await startDatabase({
    dataDir,
    port: port ?? (await anyFreePort()),
    logFile: join(dataDir, '..', 'database.log'),
  });
  cleanups.push(database.stop);
  return database;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  // Tests kill the server under open connections.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const gone = (pid: number) => pollUntil(() => !isAlive(pid) || undefined);

describe('the embedded database', () => {
  it('given a private folder, starts in UTF-8, closed without the password; a kill loses no committed data', async () => {
    const dataDir = makeDataDir();
    const database = await start(dataDir);
    expect(database.adopted).toBe(false);
    expect(await query(database.url, 'show server_encoding')).toEqual([
      { server_encoding: 'UTF8' },
    ]);
    expect(statSync(join(dataDir, 'password')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'cluster')).mode & 0o777).toBe(0o700);
    if (isRoot) expect(statSync(join(dataDir, 'cluster')).uid).not.toBe(0);
    const stranger = database.url.replace(/:[^:@]*@/, ':guessed@');
    await expect(query(stranger, 'select 1')).rejects.toThrow(/password authentication failed/);

    await query(database.url, 'create table kept as select generate_series(1, 1000) as n');
    process.kill(database.pid, 'SIGKILL');
    expect(await gone(database.pid)).toBe(true);
    const second = await start(dataDir);
    expect(second.adopted).toBe(false);
    expect(await query(second.url, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }]);
  });

  it('given a crash of one of its own processes, survives', { tags: ['long'] }, async () => {
    const database = await start(makeDataDir());
    const [backend] = (await query(
      database.url,
      `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
    )) as { pid: number }[];
    process.kill(backend?.pid ?? 0, 'SIGKILL');
    const response = await pollUntil(() =>
      query(database.url, 'select 1 as one').catch(() => undefined),
    );
    expect(response).toEqual([{ one: 1 }]);
    expect(isAlive(database.pid)).toBe(true);
  });

  it('given a running server, takes it over', { tags: ['long'] }, async () => {
    const dataDir = makeDataDir();
    const first = await start(dataDir);
    const second = await start(dataDir);
    expect(second).toMatchObject({ adopted: true, pid: first.pid, url: first.url });
    await second.stop();
    expect(isAlive(first.pid)).toBe(false);
  });

  it('given two concurrent starts, ends with one server', { tags: ['long'] }, async () => {
    const dataDir = makeDataDir();
    const port = await anyFreePort();
    const both = await Promise.all([start(dataDir, port), start(dataDir, port)]);
    expect(new Set(both.map((database) => database.pid)).size).toBe(1);
    expect(both.filter((database) => database.adopted)).toHaveLength(1);
  });

  it('given a taken port, uses another one', { tags: ['long'] }, async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    cleanups.push(() => void blocker.close());
    await new Promise((resolve) => blocker.once('listening', resolve));
    const address = blocker.address();
    const taken = typeof address === 'object' && address ? address.port : 0;
    const database = await start(makeDataDir(), taken);
    expect(new URL(database.url).port).not.toBe(String(taken));
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('given a postmaster.pid that names another program, ignores it', {
    tags: ['long'],
  }, async () => {
    const dataDir = makeDataDir();
    const first = await start(dataDir);
    await first.stop();
    const stale = [process.pid, join(dataDir, 'cluster'), 1, 5432, '', '127.0.0.1', '', ''];
    writeFileSync(join(dataDir, 'cluster', 'postmaster.pid'), stale.join('\n'), { mode: 0o644 });
    const second = await start(dataDir);
    expect(second.adopted).toBe(false);
    expect(isAlive(process.pid)).toBe(true);
  });

  it('given an interrupted first start, leaves nothing partial', {
    tags: ['long'],
  }, async () => {
    const dataDir = makeDataDir();
    mkdirSync(join(dataDir, 'making-interrupted', 'cluster'), { recursive: true });
    const database = await start(dataDir);
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('making-'))).toEqual([]);
  });
});

describe('a start that fails names the cure', () => {
  let dataDir = '';

  beforeAll(async () => {
    const root = mkdtempSync(join(tmpdir(), 'crossbook-database-'));
    dataDir = join(root, 'postgres');
    const database = await startDatabase({ dataDir, port: await anyFreePort() });
    await database.stop();
    return () => rmSync(root, { recursive: true, force: true });
  });

  it.each([
    ['the files of another major version', 'PG_VERSION', '15\n', 'PostgreSQL 15', 'pg_restore'],
    ['corrupted files', 'global/pg_control', 'spoilt', 'damaged', 'npm run reset'],
    ['missing files', 'global/pg_control', undefined, 'damaged', 'npm run reset'],
  ])('given a folder with %s', async (_what, file, content, message, cure) => {
    const path = join(dataDir, 'cluster', file);
    const whole = readFileSync(path);
    if (content === undefined) rmSync(path);
    else writeFileSync(path, content);
    await expect(start(dataDir)).rejects.toMatchObject({
      name: 'StartProblem',
      message: expect.stringContaining(message),
      cure: expect.stringContaining(cure),
    });
    writeFileSync(path, whole);
  });
});

describe.runIf(isRoot && existsSync('/usr/bin/setpriv'))('an ordinary user', () => {
  it('runs it under its own name', { tags: ['long'] }, () => {
    const dataDir = makeDataDir();
    const root = join(dataDir, '..');
    spawnSync('chown', ['-R', 'nobody', root]);
    const program = `
      const { startDatabase } = await import(${JSON.stringify(new URL('./startDatabase.ts', import.meta.url).href)});
      const database = await startDatabase({ dataDir: ${JSON.stringify(dataDir)} });
      await database.stop();
      console.log('done');
    `;
    const run = spawnSync(
      'setpriv',
      [
        '--reuid=nobody',
        '--regid=65534',
        '--clear-groups',
        process.execPath,
        '--input-type=module',
        '-e',
        program,
      ],
      { encoding: 'utf8', cwd: root },
    );
    expect(run.stdout + run.stderr).toBe('done\n');
  });
});
