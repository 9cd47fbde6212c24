import { sql } from 'drizzle-orm';
import { afterAll, expect, inject, test } from 'vitest';
import { pollUntil } from '#sandbox/process/poll.ts';
import { startDatabaseRelay } from '#sandbox/testing/databaseRelay.ts';
import { closeDatabase, openDatabase } from './client.ts';

const url = inject('sandbox').databaseUrl;
const database = openDatabase({ url, applicationName: 'crossbook-broken', maxConnections: 2 });

afterAll(async () => await closeDatabase(database));

test('a connection that breaks inside a transaction fails it and nothing else', async () => {
  const other = openDatabase({ url, applicationName: 'crossbook-breaker', maxConnections: 1 });
  const broken = database.orm.transaction(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    const pid = rows[0]?.pid;
    await other.orm.execute(sql`select pg_terminate_backend(${pid})`);
    const isGone = async () => {
      const left = await other.pool.query('select 1 from pg_stat_activity where pid = $1', [pid]);
      return left.rowCount === 0 || undefined;
    };
    expect(await pollUntil(isGone)).toBe(true);
    await tx.execute(sql`select 1`);
  });
  await expect(broken).rejects.toThrow();
  const { rows } = await database.pool.query('select 1 as one');
  expect(rows).toEqual([{ one: 1 }]);
  await closeDatabase(other);
});

test('given a database that is lost when a transaction begins, its connection is free again', async () => {
  const relay = await startDatabaseRelay({ url, waitMs: 50 });
  const relayed = openDatabase({
    url: relay.url,
    applicationName: 'crossbook-lost',
    maxConnections: 1,
    isPooled: true,
  });
  const readOne = () =>
    relayed.orm.transaction(async (tx) => (await tx.execute(sql`select 1 as one`)).rows);
  try {
    relay.loseAt('begin');
    await expect(readOne()).rejects.toThrow('begin');
    relay.restore();
    expect(await readOne()).toEqual([{ one: 1 }]);
  } finally {
    await closeDatabase(relayed);
    await relay.stop();
  }
});
