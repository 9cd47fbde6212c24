import { type Address, createPublicClient, custom, numberToHex, pad } from 'viem';
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

const contractAt = (n: number) => pad(numberToHex(n), { size: 20 });
const SWAP_VAULT = contractAt(1);
/** Nothing in every field: no market is registered, no token exists. */
const ZEROS = numberToHex(0, { size: 8 * 32 });

/** The chain without the delivery; `onSupply` runs when its tokens are counted. */
function chainThat(onSupply: () => Promise<unknown>): Chain {
  const transport = custom({
    async request({ params: [{ to }] }: { params: [{ to: Address }] }) {
      if (to === SWAP_VAULT) await onSupply();
      return ZEROS;
    },
  });
  return {
    id: 8453,
    client: createPublicClient({ transport }),
    contracts: {
      swapVault: SWAP_VAULT,
      settlement: contractAt(2),
      usdc: contractAt(3),
      outcomeToken: contractAt(4),
      accountFactory: contractAt(5),
    },
    confirmations: 1,
    sandbox: true,
    explorerUrl: '',
  };
}

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
