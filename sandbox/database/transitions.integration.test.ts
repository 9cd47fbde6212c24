import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  claimAll,
  executingStep,
  rowsOf,
  startWithDueOrders,
  unusedIds,
} from '#sandbox/testing/dueOrders.ts';
import { claimDueOrder, LeaseLostError } from '#server/domain/orders/lifecycle/lease.ts';
import { readContext } from '#server/domain/orders/lifecycle/orderContext.ts';
import { applyTransition, type Transition } from '#server/domain/orders/lifecycle/transition.ts';
import type { Database } from '#server/platform/database/client.ts';

/** Transitions of many orders, written by one statement. */

let database: Database;
const nextIds = unusedIds();

beforeAll(async () => {
  const started = await startWithDueOrders(30);
  database = started.database;
  return started.close;
});

describe('transitions that come together', () => {
  it('write each row, its events in order, operations, postings, attempts, responses and fills', async () => {
    const claims = await claimAll(database, nextIds(5));
    const clientOrderIds = claims.map(() => randomUUID());
    const stored = await Promise.all(
      claims.map(({ lease }, index) =>
        applyTransition(database, lease, {
          ...executingStep,
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
      const events = await rowsOf<{ sequence: string; type: string }>(
        database,
        'order_events',
        row.id,
      );
      const inOrder = events.toSorted((a, b) => Number(a.sequence) - Number(b.sequence));
      expect(inOrder.map((event) => event.type)).toEqual(['first', 'second', 'filled']);
      expect(await rowsOf(database, 'chain_operations', row.id)).toMatchObject([
        { kind: 'attest', state: 'ready', args: { notBeforeMs: 5 }, account_id: row.accountId },
      ]);
      const lines = await rowsOf<{ amount_micros: string }>(database, 'ledger_entries', row.id);
      const amounts = lines.map((line) => BigInt(line.amount_micros));
      expect(new Set(amounts)).toEqual(new Set([-big, big]));
      expect(amounts).toHaveLength(2);
      expect(await rowsOf(database, 'exchange_attempts', row.id)).toMatchObject([
        { state: 'done', exchange_order_id: 'v1', limit_price_micros: '500000' },
      ]);
      expect(await rowsOf(database, 'exchange_fills', row.id)).toMatchObject([
        { fee_micros: '1', filled_at: new Date(1_700_000_000_123), ticker: row.ticker },
      ]);
      const facts = await readContext(database, row);
      expect(facts.operations.attest).toMatchObject({ state: 'ready', transactionHash: null });
      expect(facts.operations.fill).toBeUndefined();
      expect(facts.attempt).toMatchObject({ state: 'done', respondedAt: expect.any(Date) });
    }
  });

  it('log an event with its own status, even if the order advances further', async () => {
    const [claimed] = await claimAll(database, nextIds(1));
    if (!claimed) throw new Error('nothing was claimed');
    const { id } = await applyTransition(database, claimed.lease, {
      ...executingStep,
      events: [{ type: 'validated', status: 'validated' }, { type: 'executing' }],
    });
    const events = await rowsOf<{ sequence: string; type: string; status: string }>(
      database,
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
    const [good, bad] = await claimAll(database, nextIds(2));
    if (!good || !bad) throw new Error('nothing was claimed');
    const lost = { ...bad.lease, token: randomUUID() };
    const outcomes = await Promise.allSettled([
      applyTransition(database, good.lease, executingStep),
      applyTransition(database, lost, executingStep),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected']);
    expect(outcomes[1]).toMatchObject({ reason: expect.any(LeaseLostError) });
    expect(await rowsOf(database, 'order_events', bad.lease.orderId)).toEqual([]);
  });

  it('given another stage or a cancelled order, reject the decision', async () => {
    const [moved, cancelled] = await claimAll(database, nextIds(2));
    if (!moved || !cancelled) throw new Error('nothing was claimed');
    await database.pool.query('update orders set cancel_requested_at = now() where id = $1', [
      cancelled.lease.orderId,
    ]);
    await expect(
      applyTransition(database, moved.lease, { ...executingStep, from: 'request' }),
    ).rejects.toThrow(LeaseLostError);
    await expect(
      applyTransition(database, cancelled.lease, { ...executingStep, unlessCancelled: true }),
    ).rejects.toThrow(LeaseLostError);
  });

  it('given one that cannot be written, are written one by one', async () => {
    const claims = await claimAll(database, nextIds(3));
    const outcomes = await Promise.allSettled(
      claims.map(({ lease }, index) =>
        applyTransition(database, lease, {
          ...executingStep,
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
      claims.map(
        async ({ lease }) => (await rowsOf(database, 'order_events', lease.orderId)).length,
      ),
    );
    expect(events).toEqual([2, 0, 2]);
  });

  it('given an order woken after its step had read, leave it due', async () => {
    const [woken, quiet] = await claimAll(database, nextIds(2));
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
    const [claimed, other] = await claimAll(database, nextIds(2));
    if (!claimed || !other) throw new Error('nothing was claimed');
    const { orderId } = claimed.lease;
    const waker = await database.pool.connect();
    await waker.query('begin');
    await waker.query('update orders set next_run_at = now() where id = $1', [orderId]);
    const parked: Transition = { from: 'place', next: { kind: 'park', delayMs: 60_000 } };
    const moving = applyTransition(database, claimed.lease, parked, claimed.order.nextRunAt);
    await applyTransition(database, other.lease, executingStep);
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
    const [claimed] = await claimAll(database, nextIds(1));
    if (!claimed) throw new Error('nothing was claimed');
    const failing = { ...executingStep, write: () => Promise.reject(new Error('no')) };
    await expect(applyTransition(database, claimed.lease, failing)).rejects.toThrow('no');
    expect(await rowsOf(database, 'order_events', claimed.lease.orderId)).toEqual([]);
  });
});
