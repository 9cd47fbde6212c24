import { expect, test } from 'vitest';
import { asTradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { Facts } from './facts.ts';
import { decideLock, LATE_REQUEST_MS } from './lock.ts';
import { buy, facts, fromNow, LOCKED, NOW, operation } from './testing/given.ts';

const refused = (failure: string) => ({
  operations: operation('request', 'failed', { failure }),
});
const expired = (ms: number) => buy({ expiresAt: fromNow(-ms) });

test.each<[string, ReturnType<typeof buy>, Facts, object]>([
  [
    'the vault has logged it, the lock is held regardless of the request',
    buy(),
    facts({ context: { events: LOCKED, ...refused('MarketSettled') } }),
    { kind: 'held' },
  ],
  ...(['ready', 'sent', 'succeeded'] as const).map(
    (state): [string, ReturnType<typeof buy>, Facts, object] => [
      `its request is ${state}, it is awaited, also past the expiry`,
      expired(3_600_000),
      facts({ context: { operations: operation('request', state) } }),
      { kind: 'awaited' },
    ],
  ),
  [
    'its request has failed, the vault is asked',
    buy(),
    facts({ context: refused('MarketSettled') }),
    { kind: 'need', fact: 'isKnownToVault' },
  ],
  [
    'its request has failed and the vault does not know it, it is lost for the reason of the chain',
    buy(),
    facts({ context: refused('MarketSettled'), isKnownToVault: false }),
    { kind: 'lost', reason: 'market_closed' },
  ],
  [
    'its request has failed and the vault knows it, it is awaited',
    buy(),
    facts({ context: refused('MarketSettled'), isKnownToVault: true }),
    { kind: 'awaited' },
  ],
  [
    'the user must send it and it may still come, their transaction is read',
    expired(LATE_REQUEST_MS - 1_000),
    facts(),
    { kind: 'need', fact: 'userTransaction' },
  ],
  [
    'the user must send it and nothing is known of a transaction, it is awaited',
    buy(),
    facts({ userTransaction: null }),
    { kind: 'awaited' },
  ],
  [
    'the user must send it and it can come no more, it is lost',
    expired(LATE_REQUEST_MS + 1_000),
    facts({ isKnownToVault: false }),
    { kind: 'lost', reason: 'request_reverted' },
  ],
  [
    "the user's transaction has finally failed, it is lost",
    buy(),
    facts({ userTransaction: { hasFailed: true, confirmations: 3n }, isKnownToVault: false }),
    { kind: 'lost', reason: 'request_reverted' },
  ],
  [
    "the user's transaction has failed and may still change, it is awaited",
    buy(),
    facts({ userTransaction: { hasFailed: true, confirmations: 2n } }),
    { kind: 'awaited' },
  ],
  [
    "the user's transaction has succeeded, it is awaited",
    buy(),
    facts({ userTransaction: { hasFailed: false, confirmations: 9n } }),
    { kind: 'awaited' },
  ],
])('given that %s', (_, order, given, lock) => {
  expect(decideLock(asTradeOrder(order), given, NOW)).toEqual(lock);
});
