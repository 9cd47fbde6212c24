import { beforeAll, beforeEach, expect, test } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { storedOrderId, storeOrders } from '#sandbox/testing/storedOrders.ts';
import { revertOrders } from '#server/domain/orders/lifecycle/revertOrders.ts';
import { listWaiting, readHeldRoom } from '#server/domain/orders/lifecycle/room/reserveRoom.ts';
import type { Database } from '#server/platform/database/client.ts';

/**
 * Which orders hold room at the vault: those whose delivery the vault has not counted at the block
 * that is read.
 */

const ID = storedOrderId(1);
const READ_TO = 100;
/** An order's price limit, and its actual cost. */
const LIMIT = 9_900_000n;
const COST = 5_200_000n;
let database: Database;

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  database = migrated.database;
  await database.pool.query(
    `insert into chain_cursors (name, block_number, block_hash, updated_at)
     values ('contracts', $1, '0xabc', now())`,
    [READ_TO],
  );
  return migrated.close;
});

/** One order that has ended and was delivered. */
beforeEach(async () => {
  for (const table of ['orders', 'order_events', 'vault_events']) {
    await database.pool.query(`truncate ${table}`);
  }
  await storeOrders(database, { from: 1, to: 1, apiKeyId: 'key_room', accounts: 1 });
});

const change = (set: string) => database.pool.query(`update orders set ${set}`);

const open = (stage: string, more: string) =>
  change(
    `stage = '${stage}', is_complete = false, quote_usdc_micros = null, ${more},
     expires_at = now() + interval '5 minutes', kind = 'api'`,
  );

async function fillIn(block: number): Promise<void> {
  await database.pool.query(
    `insert into vault_events
       (transaction_hash, log_index, block_number, kind, chain_order_id, account_address, client_ref,
        quote_usdc_micros)
     select '0xhash', 0, $1, 'filled', chain_order_id, account_id, '0x', $2 from orders`,
    [block, COST],
  );
}

async function heldMicros(): Promise<bigint> {
  const { buy, sell } = await readHeldRoom(database.orm);
  expect(sell.usdcMicros).toBe(0n);
  return buy.usdcMicros;
}

test('given reserved room, an order holds its price limit before and during placement', async () => {
  await open('request', `status = 'pending'`);
  expect(await heldMicros()).toBe(0n);
  await change('room_reserved_at = now()');
  expect(await heldMicros()).toBe(LIMIT);
  await open('place', `status = 'executing', room_reserved_at = null`);
  expect(await heldMicros()).toBe(LIMIT);
});

test('given a fill, holds its actual cost', async () => {
  await open('deliver', `status = 'executing'`);
  await change(`quote_usdc_micros = ${COST}`);
  expect(await heldMicros()).toBe(COST);
  expect((await readHeldRoom(database.orm)).buy.filledUsdcMicros).toBe(COST);
});

test('given a sale, holds a dollar per contract', async () => {
  await open('place', `status = 'executing', trade_action = 'sell'`);
  expect((await readHeldRoom(database.orm)).sell).toMatchObject({
    orders: 1,
    usdcMicros: 10_000_000n,
    filledUsdcMicros: 0n,
  });
});

test('given an order to be refunded, holds nothing', async () => {
  await open('refund', `status = 'executing', room_reserved_at = now()`);
  expect(await heldMicros()).toBe(0n);
});

test('given a delivery, holds it only beyond the block that is read', async () => {
  await fillIn(READ_TO);
  expect(await heldMicros()).toBe(0n);
  await database.pool.query('update vault_events set block_number = block_number + 1');
  expect(await heldMicros()).toBe(COST);
});

test('given an open order with a known delivery, holds it once and only beyond that block', async () => {
  await open('deliver', `status = 'executing'`);
  await change(`quote_usdc_micros = ${COST}`);
  await fillIn(READ_TO + 1);
  expect(await heldMicros()).toBe(COST);
  await database.pool.query('update vault_events set block_number = block_number - 1');
  expect(await heldMicros()).toBe(0n);
});

test('given a delivery reverted by a fork, holds it again', async () => {
  await fillIn(READ_TO);
  expect(await heldMicros()).toBe(0n);
  await database.pool.query('delete from vault_events');
  await revertOrders(database.orm, { ids: [ID], chainOrderIds: [], redeemers: [] });
  expect(await heldMicros()).toBe(COST);
});

test('an order waits only while it requests room', async () => {
  await open('place', `status = 'validated', room_requested_at = now()`);
  expect(await listWaiting(database.orm, 95_000)).toMatchObject([
    { id: ID, tradeAction: 'buy', usdcMicros: LIMIT },
  ]);
  await change(`room_requested_at = now() - interval '20 seconds'`);
  expect(await listWaiting(database.orm, 95_000)).toEqual([]);
  await change('room_requested_at = now(), room_reserved_at = now()');
  expect(await listWaiting(database.orm, 95_000)).toEqual([]);
});
