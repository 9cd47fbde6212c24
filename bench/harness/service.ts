import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '#sandbox/environment.ts';
import { SERVERS } from '#sandbox/stack/startStack.ts';
import { startTestStack } from '#sandbox/testing/testStack.ts';
import { API_KEY_SCOPES, ensureApiKey, generateApiKey } from '#server/domain/auth/apiKeys.ts';
import { closeDatabase, type Database, openDatabase } from '#server/platform/database/client.ts';

/** A whole sandbox without pages, whose one web process is measured. */
export type Service = {
  baseUrl: string;
  apiKey: string;
  webPid: number;
  databaseUrl: string;
  /** With the sandbox's secrets. */
  dataDir: string;
  database: Database;
  description: Awaited<ReturnType<typeof startTestStack>>['description'];
};

/**
 * Runs a measurement against a separate sandbox, and stops it afterwards.
 * @param options.prepare changes the data folder before the sandbox starts
 */
export async function withService<Result>(
  measure: (service: Service) => Promise<Result>,
  options: { environment?: Environment; prepare?: (dataDir: string) => Promise<void> } = {},
): Promise<Result> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-bench-'));
  await options.prepare?.(dataDir);
  const stack = await startTestStack({
    dataDir,
    servers: SERVERS,
    // All of the load comes from one address.
    environment: {
      SERVE_PAGES: 'false',
      RATE_LIMIT_NETWORK_FACTOR: '10000',
      ...options.environment,
    },
  });
  const { baseUrl, apiKey, pids, databaseUrl } = stack.description();
  const database = openDatabase({ url: databaseUrl, applicationName: 'bench', maxConnections: 4 });
  try {
    const [webPid] = pids.web;
    if (webPid === undefined) throw new Error('there is no web process');
    const { description } = stack;
    return await measure({
      baseUrl,
      apiKey,
      webPid,
      databaseUrl,
      dataDir,
      database,
      description,
    });
  } finally {
    await closeDatabase(database);
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Keys of as many callers: each has limits of its own. */
export async function makeKeys(database: Database, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => generateApiKey('test'));
  for (const [index, key] of keys.entries()) {
    await ensureApiKey(
      { database },
      { key, name: `bench ${index}`, scopes: [...API_KEY_SCOPES], origins: [] },
    );
  }
  return keys;
}
