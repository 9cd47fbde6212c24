import { expect, it, vi } from 'vitest';
import type { Claimed, OrderRow } from '../../domain/orders/lifecycle/lease.ts';
import type { Database } from '../../platform/database/client.ts';
import { createHands } from './hands.ts';

function claimOf(orderId: string, token: string): Claimed {
  return { lease: { orderId, token }, order: { id: orderId } as OrderRow };
}

it('begins what it was handed, and gives it out once', () => {
  const start = vi.fn();
  const hands = createHands({ database: {} as Database, pool: { start, free: () => 3 } });
  expect(hands.room()).toBe(3);
  const [first, second] = [claimOf('a', '1'), claimOf('b', '1')];
  hands.carry([first, second]);
  expect(start.mock.calls).toEqual([['a'], ['b']]);
  expect(hands.take('a')).toBe(first);
  expect(hands.take('a')).toBeUndefined();
  expect(hands.take('b')).toBe(second);
  expect(hands.take('c')).toBeUndefined();
});

it('has only the latest of an intent that it was handed twice', () => {
  const hands = createHands({
    database: {} as Database,
    pool: { start: () => undefined, free: () => 1 },
  });
  const later = claimOf('a', '2');
  hands.carry([claimOf('a', '1')]);
  hands.carry([later]);
  expect(hands.take('a')).toBe(later);
  expect(hands.take('a')).toBeUndefined();
});
