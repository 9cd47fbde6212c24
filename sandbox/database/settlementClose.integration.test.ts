import { beforeAll, expect, test } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { storedOrderId, storeOrders } from '#sandbox/testing/storedOrders.ts';
import type { Chain } from '#server/chain/client.ts';
import { advanceSettlements } from '#server/domain/settlement/advanceSettlements.ts';
import { findSettlement, storeSettlement } from '#server/domain/settlement/settlementStore.ts';
import type { Database } from '#server/platform/database/client.ts';
import { createLog } from '#server/platform/log.ts';

/** A settled market whose only delivery a fork removes while its settlement is decided. */

const ORDER = storedOrderId(1);
const TICKER = 'BENCH-1';
let database: Database;

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  database = migrated.database;
  await storeOrders(database, { from: 1, to: 1, apiKeyId: 'key_closed', accounts: 1 });
  await storeSettlement(database.orm, {
    ticker: TICKER,
    payoutYesMicros: 1_000_000n,
    settledAt: new Date(),
  });
  return migrated.close;
});

/** The chain without the delivery; `onSupply` runs when its tokens are counted. */
const chainThat = (onSupply: () => Promise<unknown>) =>
  ({
    contracts: {},
    client: {
      async readContract({ functionName }: { functionName: string }) {
        if (functionName !== 'supplyOf') return [0, 0, 0, 0];
        await onSupply();
        return 0n;
      },
    },
  }) as unknown as Chain;

const stateAfter = async (onSupply: () => Promise<unknown>) => {
  await advanceSettlements({
    database,
    chain: chainThat(onSupply),
    log: createLog('test', 'silent'),
  });
  return (await findSettlement(database.orm, TICKER))?.state;
};

test('given a fork while no tokens are counted, the settlement stays due', async () => {
  const reopen = async () => {
    // The node responds last: by then the database has responded to all else.
    for (let response = 0; response < 20; response += 1) await database.pool.query('select 1');
    await database.pool.query(
      `update orders set is_complete = false, stage = 'deliver', status = 'executing' where id = $1`,
      [ORDER],
    );
  };
  expect(await stateAfter(reopen)).toBe('due');
});

test('given that no tokens exist and none are to come, no settlement is needed', async () => {
  await database.pool.query(
    `update orders set is_complete = true, stage = 'done', status = 'completed' where id = $1`,
    [ORDER],
  );
  expect(await stateAfter(async () => undefined)).toBe('not_needed');
});
