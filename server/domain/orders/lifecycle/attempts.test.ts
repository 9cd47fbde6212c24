import { expect, test } from 'vitest';
import { clientOrderIdOf, parseClientOrderId, unwindOrderIdOf } from './attempts.ts';

const ORDER_ID = '0b1b6f3e-3a7e-4c0e-9a55-2f6f0f1f7c11';

test('an id encodes its order and attempt, and fits the exchange', () => {
  expect(parseClientOrderId(clientOrderIdOf(ORDER_ID, 12))).toEqual({
    orderId: ORDER_ID,
    attempt: 12,
    isUnwind: false,
  });
  expect(parseClientOrderId(unwindOrderIdOf(ORDER_ID, 3))).toEqual({
    orderId: ORDER_ID,
    attempt: 3,
    isUnwind: true,
  });
  expect(unwindOrderIdOf(ORDER_ID, 999_999).length).toBeLessThanOrEqual(64);
});

test.each(['', 'by-hand-1', `cb-${ORDER_ID}`, `cb-${ORDER_ID}-1x`, `xcb-${ORDER_ID}-1`, 'cb-1-1'])(
  'a foreign id parses to nothing: %j',
  (clientOrderId) => {
    expect(parseClientOrderId(clientOrderId)).toBeUndefined();
  },
);
