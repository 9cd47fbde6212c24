import { inject } from 'vitest';
import { ensureApiKey } from '../../domain/auth/apiKeys.ts';
import { closeDatabase, type Database, openDatabase } from '../../platform/database/client.ts';

/** The database of the sandbox that all integration tests share. */
export const openSandboxDatabase = (): Database =>
  openDatabase({
    url: inject('sandbox').databaseUrl,
    applicationName: 'crossbook-test',
    maxConnections: 2,
  });

/** Makes a key of another caller known to the service, one that may do everything. */
export async function storeKey(key: { key: string; name: string; origins?: string[] }) {
  const database = openSandboxDatabase();
  const scopes = ['read', 'trade', 'withdraw'] as const;
  await ensureApiKey({ database }, { origins: [], ...key, scopes: [...scopes] });
  await closeDatabase(database);
}
