import { beforeAll, describe, expect, it } from 'vitest';
import {
  claimAll,
  executingStep,
  rowsOf,
  startWithDueOrders,
  unusedIds,
} from '#sandbox/testing/dueOrders.ts';
import { clientOrderIdOf, readPermit } from '#server/domain/orders/lifecycle/attempts.ts';
import type { Lease } from '#server/domain/orders/lifecycle/lease.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import { applyTransition, type Transition } from '#server/domain/orders/lifecycle/transition.ts';
import type { Database } from '#server/platform/database/client.ts';

/** Whether an order may still leave for the exchange. */

let database: Database;
const nextIds = unusedIds();

beforeAll(async () => {
  const started = await startWithDueOrders(12);
  database = started.database;
  return started.close;
});

describe('an attempt', () => {
  const timing = { toleranceMs: 30_000, absenceMs: 45_000 };
  const stored = (id: string): Transition => ({
    ...executingStep,
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
    const [claimed] = await claimAll(database, [id]);
    if (!claimed) throw new Error('nothing was claimed');
    const { lease } = claimed;
    return { lease, order: await applyTransition(database, lease, stored(id)) };
  }

  it('is stored with the time of its row, and may be sent', async () => {
    const { order } = await store();
    const [attempt] = await rowsOf<{ stored_at: Date }>(database, 'exchange_attempts', order.id);
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
    const [attempt] = await rowsOf<{ stored_at: Date; code: null }>(
      database,
      'exchange_attempts',
      order.id,
    );
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
