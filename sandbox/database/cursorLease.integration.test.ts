import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { advanceCursor, CursorTakenError, cursorLease, holdCursor } from '#server/chain/cursor.ts';
import type { Database } from '#server/platform/database/client.ts';

/** Two processes that read the chain: which of them does. */

const NAME = 'test';
let database: Database;
let [ours, theirs] = ['', ''];

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  database = migrated.database;
  return migrated.close;
});

beforeEach(async () => {
  [ours, theirs] = [randomUUID(), randomUUID()];
  await database.pool.query('truncate chain_cursors');
  await holdCursor(database, NAME, ours);
});

const hold = (token: string) => holdCursor(database, NAME, token);
const endIn = (seconds: number) =>
  database.pool.query(`update chain_cursors set lease_until = now() + $1 * interval '1 second'`, [
    seconds,
  ]);
const advance = (token: string) =>
  advanceCursor(database.orm, NAME, token, { blockNumber: 7n, blockHash: '0x7' });

test('given a lease, its holder reads on and no other process does', async () => {
  expect(await hold(ours)).toMatchObject({ leaseToken: ours, blockNumber: 0n });
  expect(await hold(theirs)).toBeUndefined();
  await advance(ours);
  await expect(advance(theirs)).rejects.toThrow(CursorTakenError);
});

test.each([
  ['is read with again', () => hold(ours)],
  ['is renewed', () => cursorLease(database, NAME, ours).renew()],
])('given a lease that ends soon, it lasts four seconds more when it %s', async (_, keep) => {
  await endIn(1);
  await keep();
  const { rows } = await database.pool.query<{ left: number }>(
    'select extract(epoch from lease_until - now())::float8 as left from chain_cursors',
  );
  expect(rows[0]?.left).toBeGreaterThan(3);
});

test('given an expired lease, another process reads, and the first cannot move the cursor', async () => {
  await endIn(-1);
  expect(await hold(theirs)).toMatchObject({ leaseToken: theirs });
  await cursorLease(database, NAME, ours).renew();
  await cursorLease(database, NAME, ours).release();
  await expect(advance(ours)).rejects.toThrow(CursorTakenError);
  expect(await hold(ours)).toBeUndefined();
});

test('given a holder that stops, another process reads at once', async () => {
  await cursorLease(database, NAME, ours).release();
  expect(await hold(theirs)).toMatchObject({ leaseToken: theirs });
});
