import { expect, test } from 'vitest';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { Facts } from './facts.ts';
import { decideRefund } from './refund.ts';
import {
  ATTEMPT_ID,
  attempt,
  buy,
  CONFIRMS,
  event,
  facts,
  fails,
  LOCKED,
  NOW,
  needs,
  operation,
  sell,
  submits,
  waits,
  whole,
} from './testing/given.ts';

const order = buy({ stage: 'refund', endingReason: 'price_moved' });
const locked = (operations: Facts['context']['operations'] = {}) =>
  facts({ context: { events: LOCKED, operations } });
const REFUNDED = { ...LOCKED, ...event('refunded', { returnedMicros: 6_000_000n }) };
const lost = {
  context: { operations: operation('request', 'failed', { failure: 'MarketSettled' }) },
};
const filledAttempt = attempt('done', { filledContractMicros: 4n });
const returned = {
  events: [{ type: 'returned', transactionHash: '0xrefunded' }, { type: 'failed' }],
  postings: [{ name: 'lock' }, { name: 'refund' }],
};

test.each<[string, OrderRow, Facts, object]>([
  ['a locked input, its refund is handed over', order, locked(), submits(['refund', 1])],
  ['a refund under way, it waits', order, locked(operation('refund', 'sent')), waits(15_000)],
  [
    'a refund that the chain refused, it is tried again a little later',
    order,
    locked(operation('refund', 'failed', { attempt: 7, failure: 'VaultPaused' })),
    {
      operations: [{ kind: 'refund', attempt: 8, args: { notBeforeMs: 5_000 } }],
      log: { level: 'error' },
    },
  ],
  [
    'a purchase refunded on chain, it ends with everything returned',
    order,
    facts({ context: { events: REFUNDED } }),
    {
      ...fails('price_moved'),
      ...returned,
      set: { returnedUsdcMicros: 6_000_000n, returnedContractMicros: 0n, filledContractMicros: 0n },
      writes: [],
    },
  ],
  [
    'a sale refunded on chain, it ends with its contracts returned',
    sell({ endingReason: null }),
    facts({ context: { events: REFUNDED } }),
    {
      ...fails('refunded_on_chain'),
      ...returned,
      set: { returnedUsdcMicros: 0n, returnedContractMicros: 6_000_000n },
    },
  ],
  [
    'a refund on chain of an order that the exchange has filled, the house trades back',
    order,
    facts({ context: { events: REFUNDED, attempt: filledAttempt } }),
    {
      ...fails('price_moved'),
      set: { status: 'failed', stage: 'unwind', isComplete: true, isUnwinding: true },
      response: { clientOrderId: ATTEMPT_ID, from: 'done', state: 'done', purpose: 'found' },
    },
  ],
  [
    'a lock that a fork took back, it waits for it',
    order,
    facts({ context: { operations: operation('request', 'ready') } }),
    waits(5_000),
  ],
  ['a lock that seems lost, the vault is asked', order, facts(lost), needs('isKnownToVault')],
  [
    'a lock that seems lost, it is read once more',
    order,
    facts({ ...lost, isKnownToVault: false }),
    CONFIRMS,
  ],
  [
    'a lock that is lost at the second reading, it ends and the books take it back',
    order,
    facts({ ...lost, isKnownToVault: false, isConfirmed: true }),
    {
      ...fails('price_moved'),
      set: { returnedUsdcMicros: 0n, returnedContractMicros: 0n },
      events: [{ type: 'lock_undone', detail: 'market_closed' }, { type: 'failed' }],
      postings: [],
      writes: [{ kind: 'remove_lock_posting' }],
    },
  ],
  [
    'a lock that is lost of an order without a reason, it ends for that of the chain',
    buy({ stage: 'refund' }),
    facts({ ...lost, isKnownToVault: false, isConfirmed: true }),
    fails('market_closed'),
  ],
  [
    'a lock that is lost of an order that the exchange has filled, the house trades back',
    order,
    facts({
      context: { ...lost.context, attempt: filledAttempt },
      isKnownToVault: false,
      isConfirmed: true,
    }),
    { set: { stage: 'unwind', isUnwinding: true }, response: { purpose: 'found' } },
  ],
])('given %s', (_, row, given, decision) => {
  expect(whole(decideRefund(row, given, NOW))).toMatchObject(decision);
});
