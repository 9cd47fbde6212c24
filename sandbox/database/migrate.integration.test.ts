import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { migrateDatabase } from '#server/platform/database/migrate.ts';

test('given a limit for idle transactions, migrations that take longer succeed', async () => {
  const server = inject('emptyDatabase');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.query(`alter database ${name} set idle_in_transaction_session_timeout = '50ms'`);
  await client.end();
  await expect(migrateDatabase(server.replace(/[^/]*$/, name))).resolves.toBeUndefined();
});
