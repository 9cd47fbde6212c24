import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '#server/platform/database/client.ts';

/** A database of a test file's own, with the service's empty tables. */
export async function startMigratedDatabase(): Promise<{
  url: string;
  database: Database;
  close: () => Promise<void>;
}> {
  const template = inject('emptyDatabase');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const urlOf = (database: string) => template.replace(/[^/]*$/, database);
  const client = new pg.Client({ connectionString: urlOf('postgres') });
  await client.connect();
  await client.query(`create database ${name} template ${new URL(template).pathname.slice(1)}`);
  await client.end();
  const url = urlOf(name);
  const database = openDatabase({ url, applicationName: 'test', maxConnections: 4 });
  return { url, database, close: () => closeDatabase(database) };
}
