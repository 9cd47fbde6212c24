import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, expect, inject, test } from 'vitest';
import { closeDatabase, openDatabase } from '../../platform/database/client.ts';
import { sessions, signInNonces } from '../../platform/database/schema/auth.ts';
import { deleteOldData } from './retention.ts';

const database = openDatabase({
  url: inject('sandbox').databaseUrl,
  applicationName: 'crossbook-retention-test',
  maxConnections: 1,
});
const RETENTION_DAYS = 30;
const owner = `0x${randomUUID().replaceAll('-', '').padEnd(40, '0')}`;

afterAll(async () => await closeDatabase(database));

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

async function keep(what: { id: string; endedDaysAgo: number }): Promise<void> {
  const { id, endedDaysAgo } = what;
  const expiresAt = daysAgo(endedDaysAgo);
  await database.orm
    .insert(sessions)
    .values({ id, ownerAddress: owner, userAgent: 'a browser', ip: '192.0.2.1', expiresAt });
  await database.orm
    .insert(signInNonces)
    .values({ nonce: id, address: owner, messageHash: id, expiresAt });
}

test('deletes what is older than the retention period, and nothing else', async () => {
  const [old, recent] = [randomUUID(), randomUUID()];
  await keep({ id: old, endedDaysAgo: RETENTION_DAYS + 1 });
  await keep({ id: recent, endedDaysAgo: -1 });

  expect(await deleteOldData(database, RETENTION_DAYS)).toBeGreaterThanOrEqual(2);

  const left = {
    sessions: await database.orm.select().from(sessions).where(eq(sessions.ownerAddress, owner)),
    nonces: await database.orm.select().from(signInNonces).where(eq(signInNonces.address, owner)),
  };
  expect(left.sessions.map(({ id }) => id)).toEqual([recent]);
  expect(left.nonces.map(({ nonce }) => nonce)).toEqual([recent]);
});
