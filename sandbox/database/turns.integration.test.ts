import { beforeAll, expect, test } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import type { Database } from '#server/platform/database/client.ts';
import { putOffTurn, takeTurn } from '#server/platform/database/turns.ts';

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

test('given a turn that is put off, it comes no earlier, and a shorter time does not bring it forward', async () => {
  expect(await takeTurn(database.orm, 'slow', SHORT_MS)).toBe(true);
  await putOffTurn(database.orm, 'slow', LONG_MS);
  await putOffTurn(database.orm, 'slow', SHORT_MS);
  const nextIn = await database.pool.query<{ ms: number }>(
    `select extract(epoch from next_at - now())::float8 * 1000 as ms from job_turns
     where job = 'slow'`,
  );
  expect(nextIn.rows[0]?.ms).toBeGreaterThan(LONG_MS / 2);
  expect(await takeTurn(database.orm, 'slow', SHORT_MS)).toBe(false);
});
