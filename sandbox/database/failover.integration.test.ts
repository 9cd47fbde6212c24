import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { closeDatabase, type Database, openDatabase } from '#server/platform/database/client.ts';
import {
  findLossOnFailover,
  requireSynchronousCommits,
} from '#server/platform/database/failover.ts';
import { EXIT } from '#server/platform/process/runMain.ts';

/** What the settings of a server say about the last commits before a failover. */

let url = '';
let close: () => Promise<void>;

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  ({ url, close } = migrated);
});

afterAll(() => close());

/** A server whose settings for this session are these. */
async function withSettings<Value>(
  settings: string,
  work: (database: Database) => Promise<Value>,
): Promise<Value> {
  const own = new URL(url);
  own.searchParams.set('options', settings);
  const database = openDatabase({ url: own.href, applicationName: 'test', maxConnections: 1 });
  try {
    return await work(database);
  } finally {
    await closeDatabase(database).catch(() => undefined);
  }
}

test('given no synchronous standby, a failover loses commits', async () => {
  expect(await withSettings('', findLossOnFailover)).toBe('synchronous_standby_names is empty');
});

test.each(['off', 'local'])(
  'given synchronous_commit %s, a failover loses commits',
  async (level) => {
    const loss = await withSettings(`-c synchronous_commit=${level}`, findLossOnFailover);
    expect(loss).toBe(`synchronous_commit is ${level}`);
  },
);

test('given such a server, a program that was told otherwise does not start', async () => {
  const refused = withSettings('', requireSynchronousCommits);
  await expect(refused).rejects.toMatchObject({
    exitCode: EXIT.refused,
    message: expect.stringContaining('a failover loses acknowledged orders'),
  });
});
