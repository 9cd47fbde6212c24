import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcomeTokenId } from '#lib/outcomeToken.ts';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { storedOrderId, storeOrders } from '#sandbox/testing/storedOrders.ts';
import { readBackings } from '#server/domain/orders/lifecycle/backing.ts';
import { revertOrders } from '#server/domain/orders/lifecycle/revertOrders.ts';
import type { Database } from '#server/platform/database/client.ts';

/** The attested backing, computed from the ledger. */

const TICKER = 'KXBACKED';
let database: Database;

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  database = migrated.database;
  return migrated.close;
});

/** Three purchases of ten contracts, delivered, at 52, 30 and 70 cents. */
beforeEach(async () => {
  await database.pool.query('truncate orders, order_events, vault_events');
  await storeOrders(database, { from: 1, to: 3, apiKeyId: 'key_backed', accounts: 1 });
  await change(1, `ticker = '${TICKER}'`);
  await change(2, `ticker = '${TICKER}', quote_usdc_micros = 3000000`);
  await change(3, `ticker = '${TICKER}', quote_usdc_micros = 7000000`);
});

async function change(order: number, set: string): Promise<void> {
  await database.pool.query(`update orders set ${set} where id = $1`, [storedOrderId(order)]);
}

/** Contracts and micro-dollars. */
async function backing(): Promise<{ bought: bigint; floor: bigint }> {
  const [read] = await readBackings(database.orm, [{ ticker: TICKER, side: 'yes' }]);
  expect(read?.tokenId).toBe(outcomeTokenId(TICKER, 'yes'));
  return {
    bought: (read?.boughtContractMicros ?? 0n) / 1_000_000n,
    floor: read?.floorMicros ?? 0n,
  };
}

async function storeFills(): Promise<void> {
  await database.pool.query(
    `insert into vault_events
       (transaction_hash, log_index, block_number, kind, chain_order_id, account_address, client_ref)
     select '0xhash', row_number() over (), 1, 'filled', chain_order_id, account_id, '0x' from orders`,
  );
}

async function chainOrderIdsOf(order: number): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    'select chain_order_id as id from orders where id = $1',
    [storedOrderId(order)],
  );
  return rows.map((row) => row.id);
}

const UNDELIVERED = `stage = 'deliver', status = 'executing', is_complete = false`;

describe('the attested backing', () => {
  it('given delivered purchases only or none, has a floor of one dollar', async () => {
    expect(await backing()).toEqual({ bought: 30n, floor: 1_000_000n });
    expect(await readBackings(database.orm, [{ ticker: TICKER, side: 'no' }])).toEqual([
      { tokenId: outcomeTokenId(TICKER, 'no'), boughtContractMicros: 0n, floorMicros: 1_000_000n },
    ]);
  });

  it('given a sale, subtracts nothing: the vault counts its own mints', async () => {
    await change(3, `trade_action = 'sell'`);
    expect(await backing()).toEqual({ bought: 20n, floor: 1_000_000n });
  });

  it('given pending deliveries, allows their lowest price, rounded down', async () => {
    await change(3, UNDELIVERED);
    expect(await backing()).toEqual({ bought: 30n, floor: 700_000n });
    await change(
      1,
      `${UNDELIVERED}, filled_contract_micros = 3000000, quote_usdc_micros = 1999999`,
    );
    expect(await backing()).toEqual({ bought: 23n, floor: 666_666n });
  });

  it('given a price above a dollar with fees, allows a dollar', async () => {
    await change(3, `${UNDELIVERED}, quote_usdc_micros = 10030000`);
    expect(await backing()).toEqual({ bought: 30n, floor: 1_000_000n });
  });

  it('excludes unfilled orders and fills after their order’s end', async () => {
    await change(
      1,
      `stage = 'place', status = 'executing', is_complete = false,
      filled_contract_micros = null, quote_usdc_micros = null`,
    );
    await change(2, `stage = 'refund', status = 'executing', is_complete = false`);
    expect(await backing()).toEqual({ bought: 10n, floor: 1_000_000n });
    await change(
      2,
      `stage = 'done', status = 'failed', is_complete = true,
      termination_reason = 'settled_too_late'`,
    );
    expect(await backing()).toEqual({ bought: 10n, floor: 1_000_000n });
  });

  it('given a fork that reverts a delivery, allows its price again', async () => {
    await storeFills();
    expect((await backing()).floor).toBe(1_000_000n);
    await database.pool.query('delete from vault_events where chain_order_id = any($1)', [
      await chainOrderIdsOf(2),
    ]);
    await revertOrders(database.orm, {
      ids: [storedOrderId(2)],
      chainOrderIds: [],
      redeemers: [],
    });
    expect(await backing()).toEqual({ bought: 30n, floor: 300_000n });
  });
});
