import { beforeAll, expect, it } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { deleteOldKeyUsage, listKeyUsage, openKeyUsage } from '#server/domain/auth/keyUsage.ts';
import { createApiKey } from '#server/domain/auth/manageApiKeys.ts';
import { eraseAuthData, exportAuthData } from '#server/domain/auth/personalData.ts';
import type { Database } from '#server/platform/database/client.ts';
import { createLog } from '#server/platform/log.ts';

const OWNER = `0x${'a'.repeat(40)}` as const;
const STRANGER = `0x${'b'.repeat(40)}` as const;
const log = createLog('test', 'silent');
let database: Database;
let id: string;

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  database = migrated.database;
  const request = {
    name: 'Counted',
    scopes: ['read' as const],
    ipRanges: [],
    origins: [],
    expiresAt: null,
  };
  id = (await createApiKey({ database }, { owner: OWNER, kind: 'test', request })).key.id;
  return migrated.close;
});

const list = (days: number) => listKeyUsage({ database }, { owner: OWNER, id, days });

it('sums the counts of several processes and includes every day', async () => {
  const processes = [1, 2, 3].map(() => openKeyUsage({ database, log }));
  await Promise.all(
    processes.map(async (usage) => {
      for (let round = 0; round < 5; round += 1) {
        usage.note(id, false);
        usage.note(id, round === 0);
        usage.note('key_other', false);
        await usage.flush();
      }
      await usage.close();
    }),
  );
  const { days } = await list(3);
  expect(days.map(({ requests, refused }) => [requests, refused])).toEqual([
    [0, 0],
    [0, 0],
    [30, 3],
  ]);
  expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).toSorted());
});

it('given another owner, hides the key', async () => {
  await expect(listKeyUsage({ database }, { owner: STRANGER, id, days: 1 })).rejects.toMatchObject({
    code: 'key_not_found',
  });
});

it('deletes only expired counts', async () => {
  await database.pool.query(
    `insert into api_key_usage (api_key_id, day, requests, refused)
     select $1, (now() at time zone 'UTC')::date - days, 1, 0 from unnest($2::int[]) days`,
    [id, [89, 101, 400]],
  );
  expect(await deleteOldKeyUsage(database.orm)).toBe(2);
  const { days } = await list(90);
  expect(days).toHaveLength(90);
  expect(days[0]?.requests).toBe(1);
});

it('is exported and erased with the personal data of its wallet', async () => {
  const { apiKeyUsage } = await exportAuthData(database.orm, OWNER);
  expect(apiKeyUsage.map(({ requests }) => requests)).toEqual([30, 1]);
  await eraseAuthData(database.orm, OWNER);
  const { rows } = await database.pool.query('select distinct api_key_id from api_key_usage');
  expect(rows).toEqual([{ api_key_id: 'key_other' }]);
});
