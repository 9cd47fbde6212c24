import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDatabase } from '#sandbox/database/startDatabase.ts';
import { closeDatabase, type Database, openDatabase } from '#server/platform/database/client.ts';
import { migrateDatabase } from '#server/platform/database/migrate.ts';

/** A separate database server with the service's empty tables. */
export async function startMigratedDatabase(): Promise<{
  database: Database;
  close: () => Promise<void>;
}> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-database-'));
  const server = await startDatabase({ dataDir });
  await migrateDatabase(server.url);
  const database = openDatabase({
    url: server.url,
    applicationName: 'test',
    maxConnections: 4,
  });
  const close = async () => {
    await closeDatabase(database);
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { database, close };
}
