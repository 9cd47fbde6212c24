import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { claimAll, startWithDueOrders, unusedIds } from '#sandbox/testing/dueOrders.ts';
import {
  acquireSigner,
  listDueWork,
  registerSigner,
} from '#server/chain/operations/signerLeases.ts';
import {
  addOperations,
  listBeingFilled,
  lockReadyOperations,
  withdrawReady,
} from '#server/chain/operations/store.ts';
import type { Claimed } from '#server/domain/orders/lifecycle/lease.ts';
import { applyTransition } from '#server/domain/orders/lifecycle/transition.ts';
import type { Database } from '#server/platform/database/client.ts';

/** Fills that wait for what the chain needs before them. */

let database: Database;
const nextIds = unusedIds();

beforeAll(async () => {
  const started = await startWithDueOrders(6);
  database = started.database;
  return started.close;
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
    const [claimed] = await claimAll(database, nextIds(1));
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
      expect(await listDueWork(database.orm, ['fill'])).toEqual([]);
    }
    await attested(id, 'succeeded');
    expect(await ready()).toEqual([id]);
    expect(await listDueWork(database.orm, ['fill', 'refund'])).toEqual(['fill']);
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
    const [first, second] = await claimAll(database, nextIds(2));
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
