import { describe, expect, test } from 'vitest';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { Facts } from './facts.ts';
import { decideRequest } from './request.ts';
import {
  ATTEMPT_ID,
  account,
  attempt,
  buy,
  CONFIRMS,
  facts,
  fails,
  fromNow,
  LOCKED,
  market,
  NOW,
  needs,
  operation,
  recordedGrant,
  sell,
  submits,
  waits,
  whole,
} from './testing/given.ts';

type Row = [string, OrderRow, Facts, object];
const decide = (order: OrderRow, given: Facts) => whole(decideRequest(order, given, NOW));

describe('an order that the service places', () => {
  const cancelled = buy({ cancelRequestedAt: NOW });
  const funded = { account: account(), recordedGrant: null };
  test.each<Row>([
    ['nothing done, the account is read', buy(), facts(), needs('account')],
    [
      'a funded account, its signed grant is read',
      buy(),
      facts({ account: account() }),
      needs('recordedGrant'),
    ],
    [
      'a funded account whose grant covers it, the request is handed over unless cancelled',
      buy(),
      facts(funded),
      { ...submits(['request', 1]), unlessCancelled: true, events: [{ type: 'locking' }] },
    ],
    [
      'a signed grant that is not on chain, that goes first',
      buy(),
      facts({ ...funded, recordedGrant: recordedGrant(1n, 'recorded'), isGrantUnderWay: false }),
      submits(['grant', 1]),
    ],
    [
      'too little USDC, the account is read once more',
      buy(),
      facts({ account: account({ usdcMicros: 5_999_999n }) }),
      CONFIRMS,
    ],
    [
      'too little USDC at the second reading, it ends',
      buy(),
      facts({ account: account({ usdcMicros: 5_999_999n }), isConfirmed: true }),
      fails('insufficient_funds'),
    ],
    [
      'too few tokens for a sale at the second reading, it ends',
      sell(),
      facts({ account: account({ contractMicros: 9_999_999n }), isConfirmed: true }),
      fails('insufficient_funds'),
    ],
    [
      'no permission, the account is read once more',
      buy(),
      facts({ account: account({ grant: undefined }), recordedGrant: null }),
      CONFIRMS,
    ],
    [
      'no permission at the second reading, it ends',
      buy(),
      facts({ account: account({ grant: undefined }), recordedGrant: null, isConfirmed: true }),
      fails('grant_required'),
    ],
    [
      'a request under way, it waits for the signer',
      buy(),
      facts({ context: { operations: operation('request', 'sent') } }),
      waits(15_000),
    ],
    [
      'a request that went through and is not logged yet, it waits',
      buy(),
      facts({ context: { operations: operation('request', 'succeeded') } }),
      waits(15_000),
    ],
    [
      'a request that the vault has had before, it waits for the log',
      buy(),
      facts({ context: { operations: operation('request', 'failed', { failure: 'BadStatus' }) } }),
      waits(5_000),
    ],
    [
      'a request that the chain refused, it ends for the reason of the chain',
      cancelled,
      facts({
        context: {
          operations: operation('request', 'failed', {
            failure: 'OverDayCap',
            transactionHash: '0xbad',
          }),
        },
      }),
      {
        ...fails('grant_exceeded'),
        events: [
          { type: 'request_refused', detail: 'OverDayCap', transactionHash: '0xbad' },
          { type: 'failed', detail: 'grant_exceeded' },
        ],
      },
    ],
    ['a cancellation before the request, it ends', cancelled, facts(), fails('cancelled')],
    [
      'a restored database, nothing is begun',
      buy(),
      facts({ context: { mayPredateRestore: true } }),
      fails('service_interrupted'),
    ],
    [
      'too little time to place and deliver it, it ends',
      buy({ expiresAt: fromNow(89_999) }),
      facts(),
      fails('expired'),
    ],
    [
      'just enough time, it continues',
      buy({ expiresAt: fromNow(90_000) }),
      facts(),
      needs('account'),
    ],
  ])('given %s', (_, order, given, decision) => {
    expect(decide(order, given)).toMatchObject(decision);
  });
});

describe('an order that the user sends', () => {
  const calldata = (change: Partial<OrderRow> = {}) => buy({ kind: 'calldata', ...change });
  test.each<Row>([
    ['time left, it waits until it would be too late', calldata(), facts(), waits(3_630_000)],
    [
      'an expired order, the vault is read',
      calldata({ expiresAt: fromNow(-30_000) }),
      facts(),
      needs('isKnownToVault'),
    ],
    [
      'an expired order that the vault has had, it waits for the log',
      calldata({ expiresAt: fromNow(-30_000) }),
      facts({ isKnownToVault: true }),
      waits(5_000),
    ],
    [
      'an expired order that the vault has not had, it ends',
      calldata({ expiresAt: fromNow(-30_000) }),
      facts({ isKnownToVault: false }),
      fails('not_submitted'),
    ],
    [
      'a cancellation, the vault is asked at once',
      calldata({ cancelRequestedAt: NOW }),
      facts(),
      needs('isKnownToVault'),
    ],
    [
      'a cancellation before the vault had it, it ends',
      calldata({ cancelRequestedAt: NOW }),
      facts({ isKnownToVault: false }),
      fails('cancelled'),
    ],
  ])('given %s', (_, order, given, decision) => {
    expect(decide(order, given)).toMatchObject(decision);
  });
});

describe('a locked order', () => {
  const locked = { context: { events: LOCKED } };
  const placeable = {
    ...locked,
    halt: null,
    isBeyondLimits: false,
    market: { market: market(), fee: { kind: 'waived' } },
  } as const;
  const lockOnly = {
    from: 'request',
    set: { status: 'validated', stage: 'place' },
    stamp: ['balanceValidatedAt'],
    events: [{ type: 'validated', transactionHash: '0xrequested' }],
    postings: [{ name: 'lock' }],
    next: { kind: 'continue' },
  };
  const timeout = { timeoutMs: 1_000 };

  test.each<Row>([
    [
      'nothing known of the market, it asks for that with patience',
      buy(),
      facts(locked),
      needs('halt', timeout),
    ],
    [
      'half of the patience used up, it asks with the rest',
      buy(),
      facts({ ...locked, halt: null, readAt: fromNow(-500) }),
      needs('isBeyondLimits', { timeoutMs: 500 }),
    ],
    [
      'no patience left, the lock alone is recorded',
      buy(),
      facts({ ...locked, readAt: fromNow(-1_000) }),
      lockOnly,
    ],
    [
      'a market that does not show in time, the lock alone is recorded',
      buy(),
      facts({ ...locked, isLate: true }),
      lockOnly,
    ],
    [
      'an open market, room is reserved',
      buy(),
      facts(placeable),
      needs('room', { ...timeout, placingMs: 93_000 }),
    ],
    [
      'an open market and room, the lock is recorded and the attempt stored, unless cancelled',
      buy(),
      facts({ ...placeable, room: 'reserved' }),
      {
        ...lockOnly,
        unlessCancelled: true,
        set: { status: 'executing', stage: 'place' },
        attempt: { clientOrderId: ATTEMPT_ID, attempt: 1, state: 'stored' },
        events: [{ type: 'validated', status: 'validated' }, { type: 'executing' }],
      },
    ],
    ['no room, the lock alone is recorded', buy(), facts({ ...placeable, room: 'wait' }), lockOnly],
    [
      'a halted market, the lock alone is recorded',
      buy(),
      facts({ ...placeable, halt: 'trading_paused' }),
      lockOnly,
    ],
    [
      'an attempt from before, the lock alone is recorded',
      buy(),
      facts({ ...placeable, context: { events: LOCKED, attempt: attempt('unknown') } }),
      lockOnly,
    ],
    [
      'a restored database, the lock alone is recorded',
      buy(),
      facts({ ...placeable, context: { events: LOCKED, mayPredateRestore: true } }),
      lockOnly,
    ],
    [
      'a cancellation before, it is recorded and goes back',
      buy({ kind: 'calldata', cancelRequestedAt: NOW }),
      facts(placeable),
      {
        ...lockOnly,
        set: { status: 'validated', stage: 'refund', endingReason: 'cancelled' },
        events: [{ type: 'validated' }, { type: 'returning', detail: 'cancelled' }],
      },
    ],
  ])('given %s', (_, order, given, decision) => {
    expect(decide(order, given)).toMatchObject(decision);
  });
});
