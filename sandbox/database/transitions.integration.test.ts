import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { storedOrderId, storeOrders } from '#sandbox/testing/storedOrders.ts';
import { acquireSigner, registerSigner } from '#server/chain/operations/signerLeases.ts';
import {
  addOperations,
  listBeingFilled,
  lockReadyOperations,
  withdrawReady,
} from '#server/chain/operations/store.ts';
import { requestCancel } from '#server/domain/orders/create/cancelOrder.ts';
import { clientOrderIdOf, readPermit } from '#server/domain/orders/lifecycle/attempts.ts';
import { findDueOrders, wake } from '#server/domain/orders/lifecycle/dueOrders.ts';
import {
  type Claimed,
  claimDueOrder,
  claimOrder,
  type Lease,
  LeaseLostError,
  releaseLease,
} from '#server/domain/orders/lifecycle/lease.ts';
import { readContext } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import { applyTransition, type Transition } from '#server/domain/orders/lifecycle/transition.ts';
import type { Database } from '#server/platform/database/client.ts';
import { orders } from '#server/platform/database/schema/orders.ts';

/** Transitions of many orders, written by one statement. */

const ORDERS = 60;
let database: Database;
let used = 0;

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  database = migrated.database;
  await storeOrders(database, { from: 1, to: ORDERS, apiKeyId: 'key_moved', accounts: 5 });
  await database.pool.query('delete from order_events');
  await database.pool.query(
    `update orders set stage = 'place', status = 'validated', is_complete = false,
       termination_reason = null, next_run_at = now() - interval '1 second'`,
  );
  return migrated.close;
});

/** Orders that no other test uses. */
function nextIds(count: number): string[] {
  used += count;
  return Array.from({ length: count }, (_, index) => storedOrderId(used - count + index + 1));
}

async function claimAll(ids: readonly string[]): Promise<Claimed[]> {
  const claims = await Promise.all(ids.map((id) => claimDueOrder(database, id)));
  return claims.map((claimed) => {
    if (!claimed) throw new Error('an intent was not to be had');
    return claimed;
  });
}

async function rowsOf<Row extends object>(table: string, orderId: string): Promise<Row[]> {
  const { rows } = await database.pool.query<Row>(`select * from ${table} where order_id = $1`, [
    orderId,
  ]);
  return rows;
}

const asked: Transition = {
  from: 'place',
  set: { status: 'executing' },
  events: [{ type: 'first' }, { type: 'second', detail: 'why' }],
  next: { kind: 'continue' },
};

describe('claims', () => {
  it('given two requests for one order, grants one', async () => {
    const [id = ''] = nextIds(1);
    const claims = await Promise.all([claimDueOrder(database, id), claimDueOrder(database, id)]);
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claimOrder(database, id)).toBeUndefined();
  });

  it('return due, unclaimed orders, the longest waiting first', async () => {
    const [first = '', second = '', held = '', later = '', over = ''] = nextIds(5);
    const dueSince = (id: string, seconds: number) =>
      database.pool.query(
        `update orders set next_run_at = now() - $2 * interval '1 second' where id = $1`,
        [id, seconds],
      );
    await dueSince(second, 3_000);
    await dueSince(first, 4_000);
    await dueSince(held, 5_000);
    await dueSince(later, -60);
    await dueSince(over, 6_000);
    await database.pool.query(
      `update orders set is_complete = true, status = 'completed' where id = $1`,
      [over],
    );
    expect(await claimDueOrder(database, held)).toBeDefined();
    expect(await findDueOrders(database, 2)).toEqual([first, second]);
    expect(await findDueOrders(database, 100)).not.toContain(later);
    await database.pool.query(
      `update orders set lease_until = now() - interval '1 second' where id = $1`,
      [held],
    );
    expect(await findDueOrders(database, 1)).toEqual([held]);
  });

  it('given an ended order that is being unwound, claim it until it is done', async () => {
    const [id = ''] = nextIds(1);
    await database.pool.query(
      `update orders set is_complete = true, status = 'completed', stage = 'unwind',
         is_unwinding = true, next_run_at = now() - interval '9000 seconds' where id = $1`,
      [id],
    );
    expect(await findDueOrders(database, 1)).toEqual([id]);
    const [claimed] = await claimAll([id]);
    if (!claimed) throw new Error('nothing was claimed');
    const after = await applyTransition(database, claimed.lease, {
      from: 'unwind',
      set: { stage: 'done', isUnwinding: false },
      next: { kind: 'park', delayMs: 0 },
    });
    expect(after).toMatchObject({ status: 'completed', isUnwinding: false });
    expect(await findDueOrders(database, 100)).not.toContain(id);
    expect(await claimOrder(database, id)).toBeUndefined();
  });

  it('skip orders that are not due, unless an admin requests it', async () => {
    const [id = ''] = nextIds(1);
    const [claimed] = await claimAll([id]);
    if (claimed) await releaseLease(database, claimed.lease, { delayMs: 60_000 });
    expect(await claimDueOrder(database, id)).toBeUndefined();
    expect(await claimOrder(database, id)).toBeDefined();
  });
});

describe('waking', () => {
  it('given limited room, wakes as many orders as fit, skipping held and ended ones', async () => {
    const [free = '', other = '', held = '', over = ''] = nextIds(4).toSorted();
    await database.pool.query(
      `update orders set next_run_at = now() + interval '1 minute' where id = any($1)`,
      [[free, other, held, over]],
    );
    await database.pool.query(
      `update orders set is_complete = true, status = 'completed' where id = $1`,
      [over],
    );
    const holder = await claimOrder(database, held);
    const { taken, areOthersDue } = await wake(database.orm, [over, held, other, free], 1);
    expect(taken.map(({ order }) => order.id)).toEqual([free]);
    expect(areOthersDue).toBe(true);
    const [claimed] = taken;
    if (!claimed || !holder) throw new Error('nothing was taken');
    expect(claimed.order).toMatchObject({ leaseToken: claimed.lease.token });
    const due = await findDueOrders(database, 100);
    expect(due).toContain(other);
    for (const id of [free, held, over]) expect(due).not.toContain(id);
    const parked = await applyTransition(
      database,
      holder.lease,
      { from: 'place', next: { kind: 'park', delayMs: 60_000 } },
      holder.order.nextRunAt,
    );
    expect(parked.nextRunAt.getTime()).toBeLessThanOrEqual(parked.updatedAt.getTime());
    await expect(
      applyTransition(database, claimed.lease, asked, claimed.order.nextRunAt),
    ).resolves.toMatchObject({ status: 'executing' });
  });

  it('given no limit, makes all of them due; given none, reports nothing', async () => {
    const [id = ''] = nextIds(1);
    expect(await wake(database.orm, [id], 0)).toEqual({ taken: [], areOthersDue: true });
    expect(await wake(database.orm, [], 5)).toEqual({ taken: [], areOthersDue: false });
    expect(await claimDueOrder(database, id)).toBeDefined();
  });
});

describe('a cancellation of several orders', () => {
  it('given another transaction that holds the first, holds no other while it waits', async () => {
    const ids = nextIds(2).toSorted();
    const [first, second] = ids;
    await database.pool.query(
      `update orders set status = 'pending', stage = 'request' where id = any($1)`,
      [ids],
    );
    // By the index of due orders the second one comes first.
    await database.pool.query(
      `update orders set next_run_at = now() + interval '1 hour' where id = $1`,
      [first],
    );
    const other = await database.pool.connect();
    try {
      const lock = (id: string | undefined) =>
        other.query('select from orders where id = $1 for update', [id]);
      await other.query('begin');
      await lock(first);
      const cancelling = database.orm.transaction((tx) =>
        // As text, so that no index gives their order.
        requestCancel(tx, sql`${orders.id}::text = any(${sql.param(ids)}::text[])`),
      );
      await vi.waitFor(async () => {
        const { rowCount } = await database.pool.query('select from pg_locks where not granted');
        expect(rowCount).toBe(1);
      });
      await lock(second);
      await other.query('commit');
      expect((await cancelling).toSorted()).toEqual(ids);
    } finally {
      await other.query('rollback');
      other.release();
    }
  });
});

describe('fills', () => {
  const address = `0x${'5'.repeat(40)}` as const;
  const lease = { address, token: randomUUID() };
  const ready = async () => {
    const locked = await database.orm.transaction(
      async (tx) => await lockReadyOperations(tx, { kinds: ['fill'], batchSizeOf: () => 20 }),
    );
    return locked.map((operation) => operation.orderId);
  };
  const attested = (orderId: string, state: string) =>
    database.pool.query(
      `update chain_operations set state = $2 where order_id = $1 and kind = 'attest'`,
      [orderId, state],
    );

  it('wait for their attestation, and for a later one', async () => {
    await registerSigner(database, address);
    const [claimed] = await claimAll(nextIds(1));
    if (!claimed) throw new Error('nothing was claimed');
    const { id } = await applyTransition(database, claimed.lease, {
      from: 'place',
      operations: [
        { kind: 'attest', attempt: 1, args: {} },
        { kind: 'fill', attempt: 1, args: {} },
      ],
      next: { kind: 'continue' },
    });
    for (const state of ['ready', 'sent', 'failed']) {
      await attested(id, state);
      expect(await ready()).toEqual([]);
      expect(await acquireSigner(database, lease, ['fill'], 0)).toMatchObject({ isDue: false });
    }
    await attested(id, 'succeeded');
    expect(await ready()).toEqual([id]);
    expect(await acquireSigner(database, lease, ['fill'], 0)).toEqual({
      isDue: true,
      isHeld: true,
      isUnfinished: false,
      requesterKeyCount: null,
    });
    const other = { address, token: randomUUID() };
    expect(await acquireSigner(database, other, ['fill'], 1)).toMatchObject({ isHeld: false });
    // The holder of the key learns that another process, which holds a key itself, wants it,
    // shortly before that one retries.
    const receivedAfter = async (ms: number) => {
      await database.pool.query(
        `update chain_signers set lease_requested_at = now() - $1 * interval '1 millisecond'`,
        [ms],
      );
      return (await acquireSigner(database, lease, ['fill'], 1)).requesterKeyCount;
    };
    expect(await receivedAfter(0)).toBe(null);
    expect(await receivedAfter(450)).toBe(1);
    expect(await receivedAfter(1_100)).toBe(null);
    expect(await listBeingFilled(database.orm, [id])).toEqual([id]);
    await addOperations(database.orm, { id, accountId: claimed.order.accountId }, [
      { kind: 'attest', attempt: 2, args: {} },
    ]);
    expect(await ready()).toEqual([]);
    await withdrawReady(database.orm, id, 'fill');
    expect(await listBeingFilled(database.orm, [id])).toEqual([]);
  });

  it('of sales need no attestation, and yield to another kind once served', async () => {
    const [first, second] = await claimAll(nextIds(2));
    if (!first || !second) throw new Error('nothing was claimed');
    const hand = (claimed: Claimed, kind: 'fill' | 'refund') =>
      applyTransition(database, claimed.lease, {
        from: 'place',
        operations: [{ kind, attempt: 1, args: {} }],
        next: { kind: 'continue' },
      });
    await hand(first, 'fill');
    await hand(second, 'refund');
    const kindAfter = async (servedLast?: 'fill' | 'refund') => {
      const [locked] = await database.orm.transaction(
        async (tx) =>
          await lockReadyOperations(tx, {
            kinds: ['fill', 'refund'],
            batchSizeOf: () => 20,
            servedLast,
          }),
      );
      return locked?.kind;
    };
    expect(await kindAfter()).toBe('fill');
    expect(await kindAfter('fill')).toBe('refund');
    expect(await kindAfter('refund')).toBe('fill');
  });
});

describe('transitions that come together', () => {
  it('write each row, its events in order, operations, postings, attempts, responses and fills', async () => {
    const claims = await claimAll(nextIds(5));
    const clientOrderIds = claims.map(() => randomUUID());
    const stored = await Promise.all(
      claims.map(({ lease }, index) =>
        applyTransition(database, lease, {
          ...asked,
          attempt: {
            clientOrderId: clientOrderIds[index] ?? '',
            attempt: 1,
            limitPriceMicros: 500_000n,
            contractMicros: 1_000_000n,
            state: 'stored',
          },
        }),
      ),
    );
    expect(stored.map(({ id, status, stage }) => ({ id, status, stage }))).toEqual(
      claims.map(({ lease }) => ({ id: lease.orderId, status: 'executing', stage: 'place' })),
    );
    const big = 9_007_199_254_740_993n;
    const done = await Promise.all(
      claims.map(({ lease }, index) =>
        applyTransition(database, lease, {
          from: 'place',
          set: { stage: 'deliver', filledContractMicros: big, quoteUsdcMicros: 0n },
          stamp: ['txnFilledAt'],
          events: [{ type: 'filled' }],
          operations: [{ kind: 'attest', attempt: 1, args: { notBeforeMs: 5 } }],
          postings: [
            {
              name: 'trade',
              lines: [
                { account: 'treasury', asset: 'usdc', amountMicros: -big },
                { account: 'exchange', asset: 'usdc', amountMicros: big },
              ],
            },
          ],
          response: {
            clientOrderId: clientOrderIds[index] ?? '',
            from: 'stored',
            state: 'done',
            exchangeOrderId: 'v1',
            filledContractMicros: 1_000_000n,
          },
          fills: [
            {
              fillId: randomUUID(),
              exchangeOrderId: 'v1',
              clientOrderId: clientOrderIds[index] ?? '',
              contractMicros: 1_000_000n,
              priceMicros: 500_000n,
              feeMicros: 1n,
              at: new Date(1_700_000_000_123),
            },
          ],
          next: { kind: 'park', delayMs: 60_000 },
        }),
      ),
    );
    for (const [index, row] of done.entries()) {
      expect(row).toMatchObject({
        id: claims[index]?.lease.orderId,
        stage: 'deliver',
        filledContractMicros: big,
        quoteUsdcMicros: 0n,
        leaseToken: null,
        txnFilledAt: row.updatedAt,
      });
      expect(row.nextRunAt.getTime() - row.updatedAt.getTime()).toBe(60_000);
      const events = await rowsOf<{ sequence: string; type: string }>('order_events', row.id);
      const inOrder = events.toSorted((a, b) => Number(a.sequence) - Number(b.sequence));
      expect(inOrder.map((event) => event.type)).toEqual(['first', 'second', 'filled']);
      expect(await rowsOf('chain_operations', row.id)).toMatchObject([
        { kind: 'attest', state: 'ready', args: { notBeforeMs: 5 }, account_id: row.accountId },
      ]);
      const lines = await rowsOf<{ amount_micros: string }>('ledger_entries', row.id);
      const amounts = lines.map((line) => BigInt(line.amount_micros));
      expect(new Set(amounts)).toEqual(new Set([-big, big]));
      expect(amounts).toHaveLength(2);
      expect(await rowsOf('exchange_attempts', row.id)).toMatchObject([
        { state: 'done', exchange_order_id: 'v1', limit_price_micros: '500000' },
      ]);
      expect(await rowsOf('exchange_fills', row.id)).toMatchObject([
        { fee_micros: '1', filled_at: new Date(1_700_000_000_123), ticker: row.ticker },
      ]);
      const facts = await readContext(database, row);
      expect(facts.operations.attest).toMatchObject({ state: 'ready', transactionHash: null });
      expect(facts.operations.fill).toBeUndefined();
      expect(facts.attempt).toMatchObject({ state: 'done', respondedAt: expect.any(Date) });
    }
  });

  it('log an event with its own status, even if the order advances further', async () => {
    const [claimed] = await claimAll(nextIds(1));
    if (!claimed) throw new Error('nothing was claimed');
    const { id } = await applyTransition(database, claimed.lease, {
      ...asked,
      events: [{ type: 'validated', status: 'validated' }, { type: 'executing' }],
    });
    const events = await rowsOf<{ sequence: string; type: string; status: string }>(
      'order_events',
      id,
    );
    const inOrder = events.toSorted((a, b) => Number(a.sequence) - Number(b.sequence));
    expect(inOrder.map(({ type, status }) => [type, status])).toEqual([
      ['validated', 'validated'],
      ['executing', 'executing'],
    ]);
  });

  it('given a lost lease, reject that order and write nothing of it', async () => {
    const [good, bad] = await claimAll(nextIds(2));
    if (!good || !bad) throw new Error('nothing was claimed');
    const lost = { ...bad.lease, token: randomUUID() };
    const outcomes = await Promise.allSettled([
      applyTransition(database, good.lease, asked),
      applyTransition(database, lost, asked),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected']);
    expect(outcomes[1]).toMatchObject({ reason: expect.any(LeaseLostError) });
    expect(await rowsOf('order_events', bad.lease.orderId)).toEqual([]);
  });

  it('given another stage or a cancelled order, reject the decision', async () => {
    const [moved, cancelled] = await claimAll(nextIds(2));
    if (!moved || !cancelled) throw new Error('nothing was claimed');
    await database.pool.query('update orders set cancel_requested_at = now() where id = $1', [
      cancelled.lease.orderId,
    ]);
    await expect(
      applyTransition(database, moved.lease, { ...asked, from: 'request' }),
    ).rejects.toThrow(LeaseLostError);
    await expect(
      applyTransition(database, cancelled.lease, { ...asked, unlessCancelled: true }),
    ).rejects.toThrow(LeaseLostError);
  });

  it('given one that cannot be written, are written one by one', async () => {
    const claims = await claimAll(nextIds(3));
    const outcomes = await Promise.allSettled(
      claims.map(({ lease }, index) =>
        applyTransition(database, lease, {
          ...asked,
          set: { filledContractMicros: index === 1 ? -1n : 1n },
        }),
      ),
    );
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    const events = await Promise.all(
      claims.map(async ({ lease }) => (await rowsOf('order_events', lease.orderId)).length),
    );
    expect(events).toEqual([2, 0, 2]);
  });

  it('given an order woken after its step had read, leave it due', async () => {
    const [woken, quiet] = await claimAll(nextIds(2));
    if (!woken || !quiet) throw new Error('nothing was claimed');
    await database.pool.query('update orders set next_run_at = now() where id = $1', [
      woken.lease.orderId,
    ]);
    const parked: Transition = { from: 'place', next: { kind: 'park', delayMs: 60_000 } };
    const [first, second] = await Promise.all(
      [woken, quiet].map(({ lease, order }) =>
        applyTransition(database, lease, parked, order.nextRunAt),
      ),
    );
    expect(first?.nextRunAt.getTime()).toBeLessThanOrEqual(first?.updatedAt.getTime() ?? 0);
    expect(second?.nextRunAt.getTime()).toBeGreaterThan(second?.updatedAt.getTime() ?? 0);
    expect(await claimDueOrder(database, woken.lease.orderId)).toBeDefined();
    expect(await claimDueOrder(database, quiet.lease.orderId)).toBeUndefined();
  });

  it('given a locked order, wait with that one only', async () => {
    const [claimed, other] = await claimAll(nextIds(2));
    if (!claimed || !other) throw new Error('nothing was claimed');
    const { orderId } = claimed.lease;
    const waker = await database.pool.connect();
    await waker.query('begin');
    await waker.query('update orders set next_run_at = now() where id = $1', [orderId]);
    const parked: Transition = { from: 'place', next: { kind: 'park', delayMs: 60_000 } };
    const moving = applyTransition(database, claimed.lease, parked, claimed.order.nextRunAt);
    await applyTransition(database, other.lease, asked);
    await vi.waitFor(async () => {
      const { rows } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and query like '%pending as%'`,
      );
      expect(rows).toHaveLength(1);
    });
    await waker.query('commit');
    waker.release();
    expect((await moving).leaseToken).toBeNull();
    expect(await claimDueOrder(database, orderId)).toBeDefined();
  });

  it('given a failure of the accompanying write, undo everything', async () => {
    const [claimed] = await claimAll(nextIds(1));
    if (!claimed) throw new Error('nothing was claimed');
    const failing = { ...asked, write: () => Promise.reject(new Error('no')) };
    await expect(applyTransition(database, claimed.lease, failing)).rejects.toThrow('no');
    expect(await rowsOf('order_events', claimed.lease.orderId)).toEqual([]);
  });
});

describe('an attempt', () => {
  const timing = { toleranceMs: 30_000, absenceMs: 45_000 };
  const stored = (id: string): Transition => ({
    ...asked,
    attempt: {
      clientOrderId: clientOrderIdOf(id, 1),
      attempt: 1,
      limitPriceMicros: 500_000n,
      contractMicros: 1_000_000n,
      state: 'stored',
    },
  });
  const mayLeave = (order: Pick<OrderRow, 'id' | 'leaseToken' | 'updatedAt'>) =>
    readPermit({ database, exchange: { timing } }, order, {
      clientOrderId: clientOrderIdOf(order.id, 1),
      storedAt: order.updatedAt,
    });

  async function store(): Promise<{ lease: Lease; order: OrderRow }> {
    const [id = ''] = nextIds(1);
    const [claimed] = await claimAll([id]);
    if (!claimed) throw new Error('nothing was claimed');
    const { lease } = claimed;
    return { lease, order: await applyTransition(database, lease, stored(id)) };
  }

  it('is stored with the time of its row, and may be sent', async () => {
    const { order } = await store();
    const [attempt] = await rowsOf<{ stored_at: Date }>('exchange_attempts', order.id);
    expect(attempt?.stored_at).toEqual(order.updatedAt);
    expect(await mayLeave(order)).toBe('send');
  });

  it('may be sent once its new time alone is stored', async () => {
    const { lease, order } = await store();
    const clientOrderId = clientOrderIdOf(order.id, 1);
    const answered = await applyTransition(database, lease, {
      from: 'place',
      response: { clientOrderId, from: 'stored', state: 'refused', code: 'trading_is_paused' },
      next: { kind: 'continue' },
    });
    expect(await mayLeave(answered)).toBe('refused');
    await database.pool.query('select pg_sleep(0.002)');
    const again = await applyTransition(database, lease, {
      from: 'place',
      response: { clientOrderId, from: 'refused', state: 'stored' },
      next: { kind: 'continue' },
    });
    const [attempt] = await rowsOf<{ stored_at: Date; code: null }>('exchange_attempts', order.id);
    expect(attempt).toMatchObject({ stored_at: again.updatedAt, code: null, responded_at: null });
    expect(await mayLeave(again)).toBe('send');
    expect(await mayLeave(order)).toBe('refused');
  });

  it.each([
    ['whose lease has ended', `update orders set lease_until = now() where id = $1`],
    ['that another has taken', `update orders set lease_token = gen_random_uuid() where id = $1`],
    ['that got a response', `update exchange_attempts set state = 'unknown' where order_id = $1`],
  ])('%s is not sent', async (_, change) => {
    const { order } = await store();
    await database.pool.query(change, [order.id]);
    expect(await mayLeave(order)).toBe('refused');
  });

  it('that is too old is not sent, by any holder', async () => {
    const { order } = await store();
    const aged = await database.pool.query<{ stored_at: Date }>(
      `update exchange_attempts set stored_at = now() - interval '21 seconds' where order_id = $1
       returning stored_at`,
      [order.id],
    );
    const updatedAt = aged.rows[0]?.stored_at ?? order.updatedAt;
    expect(await mayLeave({ ...order, updatedAt })).toBe('refused');
  });
});
