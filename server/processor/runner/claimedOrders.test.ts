import { expect, it, vi } from 'vitest';
import type { Claimed } from '../../domain/orders/lifecycle/lease.ts';
import type { OrderRow } from '../../domain/orders/lifecycle/orderRow.ts';
import type { Database } from '../../platform/database/client.ts';
import { createClaimedOrders } from './claimedOrders.ts';

function claimOf(orderId: string, token: string): Claimed {
  return { lease: { orderId, token }, order: { id: orderId } as OrderRow };
}

it('starts a claimed order and returns its claim once', async () => {
  const start = vi.fn();
  const claimedOrders = createClaimedOrders({
    database: {} as Database,
    pool: { start, free: () => 3 },
  });
  expect(claimedOrders.room()).toBe(3);
  const [first, second] = [claimOf('a', '1'), claimOf('b', '1')];
  await claimedOrders.run([first, second]);
  expect(start.mock.calls).toEqual([['a'], ['b']]);
  expect(claimedOrders.take('a')).toBe(first);
  expect(claimedOrders.take('a')).toBeUndefined();
  expect(claimedOrders.take('b')).toBe(second);
  expect(claimedOrders.take('c')).toBeUndefined();
});

it('given two claims of an order, keeps only the latest', async () => {
  const claimedOrders = createClaimedOrders({
    database: {} as Database,
    pool: { start: () => undefined, free: () => 1 },
  });
  const later = claimOf('a', '2');
  await claimedOrders.run([claimOf('a', '1')]);
  await claimedOrders.run([later]);
  expect(claimedOrders.take('a')).toBe(later);
  expect(claimedOrders.take('a')).toBeUndefined();
});

it('given no database at the end of the process, drops its claims and ends', async () => {
  const claimedOrders = createClaimedOrders({
    database: {} as Database,
    pool: { start: () => undefined, free: () => 1 },
  });
  await claimedOrders.run([claimOf('a', '1')]);
  await claimedOrders.close();
  expect(claimedOrders.take('a')).toBeUndefined();
});
