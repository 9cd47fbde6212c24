import { beforeAll, expect, it } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import type { Database } from '#server/platform/database/client.ts';
import { insertRows } from '#server/platform/database/insertRows.ts';
import { vaultEvents } from '#server/platform/database/schema/chain.ts';

let database: Database;

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  database = migrated.database;
  return migrated.close;
});

const event = (logIndex: number) => ({
  transactionHash: '0x01',
  logIndex,
  blockNumber: 9_007_199_254_740_993n,
  kind: 'refunded' as const,
  chainOrderId: `0x${logIndex}`,
  accountAddress: `quote ' and "comma", \\ and é`,
  clientRef: '0x02',
  returnedMicros: 9_007_199_254_740_995n,
});

it('stores every field unchanged and returns the new rows', async () => {
  const insert = (...logs: number[]) =>
    insertRows(database.orm, vaultEvents, logs.map(event), { returning: vaultEvents.chainOrderId });
  expect(await insert(1, 2)).toEqual(['0x1', '0x2']);
  // Existing rows stay unchanged, also within one statement.
  expect(await insert(2, 3, 3)).toEqual(['0x3']);
  const stored = await database.orm.select().from(vaultEvents).orderBy(vaultEvents.logIndex);
  expect(stored).toEqual(
    [1, 2, 3].map((logIndex) => ({
      ...event(logIndex),
      filledContractMicros: null,
      quoteUsdcMicros: null,
      filledTotalMicros: null,
      quoteTotalMicros: null,
      endsAt: null,
    })),
  );
  expect(await insert()).toEqual([]);
});
