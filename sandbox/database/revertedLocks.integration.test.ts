import { beforeAll, beforeEach, expect, test } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { storedOrderId, storeOrders } from '#sandbox/testing/storedOrders.ts';
import { revertOrders } from '#server/domain/orders/lifecycle/revertOrders.ts';
import type { Database } from '#server/platform/database/client.ts';

/** The lock's posting of an order whose logs have changed. */

const ID = storedOrderId(1);
let database: Database;

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  database = migrated.database;
  return migrated.close;
});

/** An order that has ended, and the posting of its lock. */
beforeEach(async () => {
  for (const table of ['orders', 'order_events', 'vault_events', 'ledger_entries']) {
    await database.pool.query(`truncate ${table}`);
  }
  await storeOrders(database, { from: 1, to: 1, apiKeyId: 'key_locks', accounts: 1 });
  await database.pool.query(`update orders set balance_validated_at = now()`);
  await database.pool.query(
    `insert into ledger_entries (id, account_id, order_id, posting, account, asset, amount_micros, at)
     select gen_random_uuid(), account_id, id, 'lock', 'escrow', 'usdc', 1, now() from orders`,
  );
});

test.each([
  ['its request is logged, stays', ['requested'], 1],
  ['its fill is read again before its request, stays', ['filled'], 1],
  ['its refund is read again before its request, stays', ['refunded'], 1],
  ['it has no log, goes', [], 0],
])('given %s', async (_, kinds, postings) => {
  for (const [index, kind] of kinds.entries()) {
    await database.pool.query(
      `insert into vault_events
         (transaction_hash, log_index, block_number, kind, chain_order_id, account_address, client_ref)
       select '0xhash', $1, 1, $2, chain_order_id, account_id, '0x' from orders`,
      [index, kind],
    );
  }
  await revertOrders(database.orm, { ids: [ID], chainOrderIds: [], redeemers: [] });
  const { rows } = await database.pool.query(`select 1 from ledger_entries where posting = 'lock'`);
  expect(rows.length).toBe(postings);
});
