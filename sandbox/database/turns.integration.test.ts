import { beforeAll, expect, test } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import type { Database } from '#server/platform/database/client.ts';
import { takeTurn } from '#server/platform/database/turns.ts';

/** Jobs that one of several processes does. */

const LONG_MS = 60_000;
const SHORT_MS = 300;
let database: Database;

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  database = migrated.database;
  return migrated.close;
});

const takeAtOnce = async (job: string, everyMs: number, times: number) => {
  const all = Array.from({ length: times }, () => takeTurn(database.orm, job, everyMs));
  return (await Promise.all(all)).filter(Boolean).length;
};

test('given ten processes that ask for the first turn at once, one has it', async () => {
  expect(await takeAtOnce('first', LONG_MS, 10)).toBe(1);
  expect(await takeTurn(database.orm, 'first', LONG_MS)).toBe(false);
});

test('given a turn whose time is over, one of ten has the next', async () => {
  expect(await takeAtOnce('next', SHORT_MS, 10)).toBe(1);
  await expect.poll(() => takeAtOnce('next', LONG_MS, 10)).toBe(1);
});

test('given two jobs, the turn of one does not delay the other', async () => {
  expect(await takeTurn(database.orm, 'one', LONG_MS)).toBe(true);
  expect(await takeTurn(database.orm, 'other', LONG_MS)).toBe(true);
});
