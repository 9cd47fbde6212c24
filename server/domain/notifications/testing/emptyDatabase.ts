import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { closeDatabase, type Database, openDatabase } from '#server/platform/database/client.ts';
import { migrateDatabase } from '#server/platform/database/migrate.ts';

/** A database of one's own beside another, with its tables and nothing in them. */
export async function openEmptyDatabase(
  besideUrl: string,
): Promise<{ database: Database; close(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runBeside(besideUrl, `create database ${name}`);
  const url = new URL(besideUrl);
  url.pathname = `/${name}`;
  await migrateDatabase(url.href);
  const database = openDatabase({
    url: url.href,
    applicationName: 'crossbook-test',
    maxConnections: 6,
  });
  return {
    database,
    async close() {
      await closeDatabase(database);
      await runBeside(besideUrl, `drop database ${name}`);
    },
  };
}

async function runBeside(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
