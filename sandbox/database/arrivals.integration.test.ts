import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { clientRefOf } from '#server/chain/vaultOrder.ts';
import { EVERY_MARKET, suspendMarket } from '#server/domain/admin/suspensions.ts';
import { setLimit } from '#server/domain/limits/limits.ts';
import type { NewOrderRow } from '#server/domain/orders/create/insertOrder.ts';
import { storeOrder } from '#server/domain/orders/create/storeOrder.ts';
import { DUE_CHANNEL } from '#server/domain/orders/lifecycle/dueOrders.ts';
import { RECOVERED } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { Database } from '#server/platform/database/client.ts';
import { createLog } from '#server/platform/log.ts';

/** New orders: stored in one round trip when no rule rejects them. */

let database: Database;

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  database = migrated.database;
  return migrated.close;
});

afterEach(async () => {
  await database.pool.query('delete from market_suspensions');
  await database.pool.query('delete from trading_limits');
});

function arrival(more: Partial<NewOrderRow> = {}): NewOrderRow {
  const id = randomUUID();
  return {
    id,
    accountId: '0xAccount',
    ownerAddress: '0xOwner',
    userAddress: '0xOwner',
    apiKeyId: 'key_a',
    clientId: id,
    clientRef: `ref-${id}`,
    requestHash: 'hash',
    kind: 'api',
    stage: 'request',
    ticker: 'RAIN',
    side: 'yes',
    tradeAction: 'buy',
    contractMicros: 9_007_199_254_740_993n,
    quoteLimitUsdcMicros: 1n,
    receiverAddress: '0xAccount',
    expiresAt: new Date(1_800_000_000_000),
    chainOrderId: `chain-${id}`,
    action: { zebra: 1, apple: { y: '2', x: null }, chainId: 8453 },
    ...more,
  };
}

const LIMITED = {
  scope: 'account',
  values: {
    maxOrderUsdcMicros: null,
    maxDayUsdcMicros: null,
    maxExposureUsdcMicros: null,
    maxOpenOrders: 2,
  },
  by: 'somebody',
  reason: 'a test',
} as const;

const store = (intent: NewOrderRow) =>
  storeOrder({ database, log: createLog('tool', 'silent') }, intent);

it('given many at once, stores each unchanged with its event', async () => {
  const arrivals = Array.from({ length: 20 }, () => arrival());
  const rows = await Promise.all(arrivals.map(store));
  for (const [index, row] of rows.entries()) {
    const { isRedemption, ...given } = { isRedemption: false, ...arrivals[index] };
    expect(row).toMatchObject({ ...given, isRedemption, status: 'pending', isComplete: false });
    expect(JSON.stringify(row.action)).toBe(JSON.stringify(given.action));
    expect(row.nextRunAt).toEqual(row.createdAt);
    expect(row.traceparent).toBeNull();
  }
  const { rows: events } = await database.pool.query(
    'select type, status from order_events where order_id = any($1)',
    [rows.map((row) => row.id)],
  );
  expect(events).toEqual(rows.map(() => ({ type: 'created', status: 'pending' })));
});

it('given an order that is stored, with limits or without, a processor that listens is notified', async () => {
  const listener = await database.pool.connect();
  const onNotification = vi.fn();
  listener.on('notification', onNotification);
  try {
    await listener.query(`listen ${DUE_CHANNEL}`);
    await store(arrival());
    await vi.waitFor(() => expect(onNotification).toHaveBeenCalledTimes(1));
    await setLimit({ database }, { ...LIMITED, subject: '0xNotified' });
    await store(arrival({ accountId: '0xNotified' }));
    await vi.waitFor(() => expect(onNotification).toHaveBeenCalledTimes(2));
  } finally {
    listener.release(true);
  }
});

it('given a repeated request, even concurrent, returns the existing order', async () => {
  const clientId = randomUUID();
  const [first, second] = await Promise.all([
    store(arrival({ clientId })),
    store(arrival({ clientId })),
  ]);
  expect(second?.id).toBe(first?.id);
  expect((await store(arrival({ clientId }))).id).toBe(first?.id);
  await expect(store(arrival({ clientId, requestHash: 'other' }))).rejects.toMatchObject({
    code: 'client_id_conflict',
  });
});

it('given a repeated request for an order restored from chain, returns it', async () => {
  const recovered = await store(
    arrival({ apiKeyId: RECOVERED, requestHash: RECOVERED, clientRef: 'never-used' }),
  );
  const clientId = randomUUID();
  const clientRef = clientRefOf('key_b', clientId);
  await database.pool.query('update orders set client_ref = $1 where id = $2', [
    clientRef,
    recovered.id,
  ]);
  const again = await store(arrival({ apiKeyId: 'key_b', clientId, clientRef }));
  expect(again).toMatchObject({ id: recovered.id, apiKeyId: 'key_b', clientId });
});

it.each(['RAIN', EVERY_MARKET])(
  'given %s stopped, rejects only orders affected by it',
  async (ticker) => {
    await suspendMarket({ database }, { ticker, reason: 'Looked at.', by: 'somebody' });
    const code = ticker === EVERY_MARKET ? 'trading_paused' : 'market_suspended';
    const before = await store(arrival({ kind: 'withdrawal', stage: 'withdraw' }));
    await expect(store(arrival())).rejects.toMatchObject({ code });
    expect((await store(arrival({ isRedemption: true, chainOrderId: null }))).isRedemption).toBe(
      true,
    );
    expect((await store(arrival({ clientId: before.clientId }))).id).toBe(before.id);
  },
);

it('given concurrent orders, enforces limits across them', async () => {
  await setLimit({ database }, { ...LIMITED, subject: '0xLimited' });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => store(arrival({ accountId: '0xLimited' }))),
  );
  const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(outcomes.length - refusals.length).toBe(2);
  for (const { reason } of refusals)
    expect(reason).toMatchObject({ code: 'trading_limit_reached' });
});

it('given one that cannot be stored, fails only that one', async () => {
  const outcomes = await Promise.allSettled([
    store(arrival()),
    store(arrival({ contractMicros: -1n })),
    store(arrival()),
  ]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
