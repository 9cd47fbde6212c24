import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '#server/platform/database/client.ts';
import { commitLazily } from '#server/platform/database/commitLazily.ts';
import { type RunningDatabase, startDatabase } from './startDatabase.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-lazily-'));
let server: RunningDatabase;
let database: Database;

beforeAll(async () => {
  server = await startDatabase({ dataDir });
  // With one connection, what is left over of a transaction is met by the next.
  database = openDatabase({ url: server.url, applicationName: 'test', maxConnections: 1 });
  await database.pool.query('create table kept (n int primary key)');
});

beforeEach(() => database.pool.query('truncate kept'));

afterAll(async () => {
  await closeDatabase(database);
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const insert = (n: number) => sql`insert into kept values (${n})`;

async function kept(): Promise<number[]> {
  const { rows } = await database.pool.query<{ n: number }>('select n from kept order by n');
  return rows.map((row) => row.n);
}

it('keeps all of it, and waits for the disk only within its own transaction', async () => {
  let setting: unknown;
  await commitLazily(database, (db) => [
    db.execute(insert(1)),
    db.execute(insert(2)),
    db.execute(sql`show synchronous_commit`).then(({ rows }) => {
      setting = rows[0];
    }),
  ]);
  expect(await kept()).toEqual([1, 2]);
  expect(setting).toEqual({ synchronous_commit: 'off' });
  const { rows } = await database.pool.query('show synchronous_commit');
  expect(rows).toEqual([{ synchronous_commit: 'on' }]);
});

it('keeps nothing when one fails, says what failed first, and leaves nothing open', async () => {
  const writing = commitLazily(database, (db) => [
    db.execute(insert(1)),
    db.execute(insert(1)),
    db.execute(insert(2)),
  ]);
  await expect(writing).rejects.toMatchObject({ cause: { code: '23505' } });
  expect(await kept()).toEqual([]);
});

it('keeps nothing of a statement that is sent after another failed', async () => {
  const writing = commitLazily(database, (db) => [
    db.execute(insert(1)).then(() => db.execute(insert(3))),
    db.execute(insert(1)),
  ]);
  await expect(writing).rejects.toMatchObject({ cause: { code: expect.any(String) } });
  expect(await kept()).toEqual([]);
});

it('does not lend a broken connection again', async () => {
  const ended = commitLazily(database, (db) => [
    db.execute(insert(1)),
    db.execute(sql`select pg_terminate_backend(pg_backend_pid())`),
  ]);
  await expect(ended).rejects.toThrow();
  expect(await kept()).toEqual([]);
});
