import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startDatabase } from '#sandbox/database/startDatabase.ts';
import { migrateDatabase } from '#server/platform/database/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a database with the service's empty tables. */
    emptyDatabase: string;
  }
}

/** One database server for all tests of tables; each file gets a copy of the empty ones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-database-'));
  const server = await startDatabase({ dataDir });
  await migrateDatabase(server.url);
  project.provide('emptyDatabase', server.url);
  return async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
