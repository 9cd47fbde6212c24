import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  claimAll,
  executingStep,
  startWithDueOrders,
  unusedIds,
} from '#sandbox/testing/dueOrders.ts';
import { requestCancel } from '#server/domain/orders/create/cancelOrder.ts';
import { findDueOrders, wake } from '#server/domain/orders/lifecycle/dueOrders.ts';
import { claimDueOrder, claimOrder, releaseLease } from '#server/domain/orders/lifecycle/lease.ts';
import { applyTransition } from '#server/domain/orders/lifecycle/transition.ts';
import type { Database } from '#server/platform/database/client.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { createClaimedOrders } from '#server/processor/runner/claimedOrders.ts';

/** Who gets a due order, and when. */

let database: Database;
const nextIds = unusedIds();

beforeAll(async () => {
  const started = await startWithDueOrders(30);
  database = started.database;
  return started.close;
});

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
    const [claimed] = await claimAll(database, [id]);
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
    const [claimed] = await claimAll(database, [id]);
    if (claimed) await releaseLease(database, claimed.lease, { delayMs: 60_000 });
    expect(await claimDueOrder(database, id)).toBeUndefined();
    expect(await claimOrder(database, id)).toBeDefined();
  });
});

describe('the end of a process', () => {
  it('given claims that have not started, and one made meanwhile, frees them at once', async () => {
    const [waiting = '', late = ''] = nextIds(2);
    const [first, second] = await claimAll(database, [waiting, late]);
    if (!first || !second) throw new Error('nothing was claimed');
    const pool = { start: () => undefined, free: () => 2 };
    const claimedOrders = createClaimedOrders({ database, pool });
    await claimedOrders.run([first]);
    expect(await claimDueOrder(database, waiting)).toBeUndefined();
    await claimedOrders.close();
    expect(await claimDueOrder(database, waiting)).toBeDefined();
    expect(await claimDueOrder(database, late)).toBeUndefined();
    await claimedOrders.run([second]);
    expect(await claimDueOrder(database, late)).toBeDefined();
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
      applyTransition(database, claimed.lease, executingStep, claimed.order.nextRunAt),
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
