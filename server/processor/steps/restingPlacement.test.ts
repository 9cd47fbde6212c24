import { describe, expect, test } from 'vitest';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import { decideDeliver } from './deliver.ts';
import type { Facts } from './facts.ts';
import { decidePlace } from './place.ts';
import { decideRefund } from './refund.ts';
import { decideRequest } from './request.ts';
import {
  ATTEMPT_ID,
  account,
  attempt,
  delivery,
  event,
  facts,
  fails,
  fill,
  fromNow,
  LOCKED,
  market,
  NOW,
  needs,
  operation,
  part,
  resting,
  returns,
  waits,
  whole,
} from './testing/given.ts';

/** What the steps around `rest` do for an order that rests, or that never may. */

type Given = NonNullable<Parameters<typeof facts>[0]>;
const given = ({ context, ...more }: Given = {}): Facts =>
  facts({ ...more, context: { events: LOCKED, ...context } });
const trading = (change = {}) => ({
  market: market(change),
  fee: { kind: 'waived' as const },
});
/** A permission that covers less than the lock of the order. */
const { grant } = account();
const TIGHT = account({ ...(grant && { grant: { ...grant, maxPerOrder: 5_000_000n } }) });
const CLEAR = { halt: null, isBeyondLimits: false, market: trading() } as const;

type Case = [string, OrderRow, Facts, object];

describe('place', () => {
  const order = resting({ stage: 'place', status: 'validated' });
  const unsent = { ...attempt('stored'), isCurrent: true };
  const UNFUNDED = attempt('no_fill', { code: 'insufficient_balance' });
  const sent = (outcome: NonNullable<Facts['sent']>['outcome']) =>
    given({ sent: { attempt: attempt('stored'), outcome } });
  test.each<Case>([
    [
      'nothing prevents it, its price is claimed before anything is stored',
      order,
      given(CLEAR),
      needs('priceClaim', { priceMicros: 550_000n }),
    ],
    [
      'its price is claimed, the attempt is stored without room at the vault',
      order,
      given({ ...CLEAR, priceClaim: 'claimed' }),
      {
        attempt: { clientOrderId: ATTEMPT_ID, limitPriceMicros: 550_000n, state: 'stored' },
        set: { status: 'executing' },
      },
    ],
    [
      'it would meet an order of ours, it is returned',
      order,
      given({ ...CLEAR, priceClaim: 'crosses' }),
      returns('crosses_open_order'),
    ],
    [
      'an order on its way may take its price, it waits',
      order,
      given({ ...CLEAR, priceClaim: 'wait' }),
      waits(1_000),
    ],
    [
      'its price is no tick any more, it is returned',
      { ...order, limitPriceMicros: 555_000n },
      given(CLEAR),
      returns('price_not_allowed'),
    ],
    [
      'it is cancelled before it was sent, it is returned',
      { ...order, cancelRequestedAt: NOW },
      given(),
      returns('cancelled'),
    ],
    [
      'its end is seconds away, it is returned',
      { ...order, restsUntil: fromNow(4_000) },
      given(),
      returns('expired'),
    ],
    [
      'its market is paused, it waits for as long as it may rest',
      order,
      given({ ...CLEAR, market: trading({ status: 'paused' }) }),
      waits(3_000),
    ],
    [
      'its shard had too little cash, it waits for the cash on its way',
      order,
      given({ ...CLEAR, context: { attempt: UNFUNDED }, shardCash: 'awaited' }),
      waits(1_000),
    ],
    [
      'no shard has the cash, it is returned',
      order,
      given({ ...CLEAR, context: { attempt: UNFUNDED }, shardCash: 'lacking' }),
      returns('exchange_unfunded'),
    ],
    ['it is stored by this run, it is sent', order, given({ unsent }), needs('sent')],
    [
      'the exchange accepts it, it rests, whatever it filled on arrival',
      order,
      sent({ kind: 'done', exchangeOrderId: 'x', filledContractMicros: 3_000_000n }),
      {
        set: { stage: 'rest' },
        stamp: ['restingSince'],
        response: { state: 'resting', exchangeOrderId: 'x' },
        events: [{ type: 'resting' }],
      },
    ],
    [
      'the exchange refuses a post-only order that would match, it is returned',
      order,
      sent({ kind: 'no_fill', reason: 'post_only_would_cross', code: 'x' }),
      returns('post_only_would_cross'),
    ],
    [
      'the response is lost, the order is looked up and never sent under another id',
      order,
      given({ context: { attempt: attempt('unknown') } }),
      needs('lookedUp'),
    ],
    [
      'the look-up finds it resting, it rests',
      order,
      given({
        context: { attempt: attempt('unknown') },
        lookedUp: { kind: 'resting', exchangeOrderId: 'x', filledContractMicros: 0n },
      }),
      { set: { stage: 'rest' }, response: { state: 'resting', exchangeOrderId: 'x' } },
    ],
    [
      'a restore lost the attempt and the exchange has the order, it is adopted',
      order,
      given({
        context: { mayPredateRestore: true },
        lookedUp: { kind: 'resting', exchangeOrderId: 'x', filledContractMicros: 0n },
        listedMarket: market(),
      }),
      {
        set: { stage: 'rest' },
        attempt: { clientOrderId: ATTEMPT_ID, shard: 2, state: 'resting', exchangeOrderId: 'x' },
      },
    ],
    [
      'a restore lost the attempt, its market is read for the shard',
      order,
      given({
        context: { mayPredateRestore: true },
        lookedUp: { kind: 'resting', exchangeOrderId: 'x', filledContractMicros: 0n },
      }),
      needs('listedMarket'),
    ],
    [
      'a restore lost its terms too, it is adopted to be ended',
      {
        ...order,
        timeInForce: null,
        orderType: 'market',
        restingContractMicros: null,
        requestHash: 'recovered',
      },
      given({
        context: { mayPredateRestore: true },
        lookedUp: { kind: 'resting', exchangeOrderId: 'x', filledContractMicros: 0n },
        listedMarket: market(),
      }),
      { set: { stage: 'rest', timeInForce: 'GTC', endingReason: 'service_interrupted' } },
    ],
    [
      'an order that takes from the book, its price stays inside our own levels',
      { ...order, timeInForce: 'IOC', restsUntil: null, roomReservedAt: NOW },
      given({ ...CLEAR, market: { ...trading(), own: { askMicros: 540_000n } } }),
      { attempt: { limitPriceMicros: 530_000n } },
    ],
    [
      'an order of ours took the price while it was on its way, it is decided anew',
      { ...order, timeInForce: 'IOC', restsUntil: null },
      sent({ kind: 'no_fill', reason: 'would_self_trade', code: 'own_order_at_price' }),
      { response: { state: 'no_fill' }, next: { kind: 'continue' } },
    ],
    [
      'a fill-or-kill order that finds too little, it is returned',
      { ...order, timeInForce: 'FOK', restsUntil: null },
      sent({ kind: 'no_fill', reason: 'not_filled_whole', code: 'x' }),
      returns('not_filled_whole'),
    ],
  ])('given that %s', (_, row, known, expected) => {
    expect(whole(decidePlace(row, known, NOW))).toMatchObject(expected);
  });
});

test.each<Case>([
  [
    'its lock exceeds the permission, it ends before funds move',
    resting({ stage: 'request' }),
    facts({ recordedGrant: null, account: TIGHT }),
    { kind: 'pause', isConfirming: true },
  ],
  [
    'its lock still exceeds the permission, it ends',
    resting({ stage: 'request' }),
    facts({ isConfirmed: true, recordedGrant: null, account: TIGHT }),
    fails('grant_exceeded'),
  ],
  [
    'it was cancelled while its funds were being locked, they are returned at once',
    resting({ stage: 'request', cancelRequestedAt: NOW }),
    given(),
    { set: { stage: 'refund', endingReason: 'cancelled' } },
  ],
  [
    'its owner has not sent it for twenty minutes, it ends',
    resting({ stage: 'request', kind: 'calldata', createdAt: fromNow(-21 * 60_000) }),
    facts({ isKnownToVault: false }),
    fails('not_submitted'),
  ],
])('request: given that %s', (_, row, known, expected) => {
  expect(whole(decideRequest(row, known, NOW))).toMatchObject(expected);
});

describe('deliver', () => {
  const order = resting({
    stage: 'deliver',
    filledContractMicros: 6_000_000n,
    deliveredContractMicros: 4_000_000n,
    deliveredFeeUsdcMicros: 20_000n,
    endingReason: 'cancelled',
  });
  const parts = [part(4_000_000n, 2_000_000n)];
  const totals = { filled: 6_000_000n, quote: 3_100_000n, fee: 30_000n, isLast: true };
  const last = event('filled', {
    filledContractMicros: 2_000_000n,
    quoteUsdcMicros: 1_100_000n,
    filledTotalMicros: 6_000_000n,
    quoteTotalMicros: 3_100_000n,
    returnedMicros: 2_580_000n,
  });
  test.each<Case>([
    [
      'its last part failed, the totals are stated anew',
      order,
      given({
        storedFills: [fill(4_000_000n, 500_000n), fill(2_000_000n, 550_000n)],
        context: { parts, operations: delivery('failed', totals, { failure: 'VaultPaused' }) },
      }),
      { operations: [{ kind: 'attest' }, { kind: 'fill', attempt: 2, args: { isLast: true } }] },
    ],
    [
      'its last part is logged, it completes with the totals and its own fee',
      order,
      given({
        deliveredTo: null,
        context: {
          parts,
          events: { ...LOCKED, ...last },
          operations: delivery('succeeded', totals),
        },
      }),
      {
        set: {
          status: 'completed',
          filledContractMicros: 6_000_000n,
          quoteUsdcMicros: 3_100_000n,
          feeUsdcMicros: 30_000n,
          returnedUsdcMicros: 2_580_000n,
        },
        events: [
          {
            type: 'completed',
            contractMicros: 2_000_000n,
            quoteUsdcMicros: 1_100_000n,
            feeUsdcMicros: 10_000n,
          },
        ],
        postings: [
          { name: 'lock' },
          { name: 'deliver-4000000' },
          {
            name: 'deliver',
            lines: expect.arrayContaining([
              expect.objectContaining({ account: 'house', amountMicros: 1_100_000n }),
              expect.objectContaining({ account: 'escrow', amountMicros: -2_580_000n }),
            ]),
          },
        ],
      },
    ],
    [
      'its market is settled before the last part, the rest is the house’s',
      order,
      given({
        context: { parts, operations: delivery('failed', totals, { failure: 'MarketSettled' }) },
      }),
      { set: { stage: 'refund', endingReason: 'settled_too_late' } },
    ],
    [
      'anyone has refunded it, the rest is the house’s',
      order,
      given({ context: { parts, events: { ...LOCKED, ...event('refunded') } } }),
      { set: { stage: 'refund', endingReason: 'settled_too_late' } },
    ],
  ])('given that %s', (_, row, known, expected) => {
    expect(whole(decideDeliver(row, known, NOW))).toMatchObject(expected);
  });
});

describe('refund', () => {
  const order = resting({
    stage: 'refund',
    endingReason: 'cancelled',
    filledContractMicros: 4_000_000n,
    deliveredContractMicros: 4_000_000n,
    deliveredFeeUsdcMicros: 20_000n,
  });
  const parts = [part(4_000_000n, 2_000_000n)];
  const refunded = { ...LOCKED, ...event('refunded', { returnedMicros: 3_680_000n }) };
  const filled = (contracts: bigint) => attempt('done', { filledContractMicros: contracts });
  test.each<Case>([
    [
      'parts were delivered before, it completes with what they were and the rest returned',
      order,
      given({ context: { parts, events: refunded, attempt: filled(4_000_000n) } }),
      {
        set: {
          status: 'completed',
          stage: 'done',
          filledContractMicros: 4_000_000n,
          quoteUsdcMicros: 2_000_000n,
          feeUsdcMicros: 20_000n,
          returnedUsdcMicros: 3_680_000n,
        },
        postings: [{ name: 'lock' }, { name: 'deliver-4000000' }, { name: 'refund' }],
        events: [{ type: 'returned' }, { type: 'completed' }],
      },
    ],
    [
      'the exchange filled more than was delivered, the house trades the rest back',
      order,
      given({ context: { parts, events: refunded, attempt: filled(5_000_000n) } }),
      {
        set: { status: 'completed', stage: 'unwind', isUnwinding: true },
        response: { purpose: 'found' },
      },
    ],
    [
      'nothing was filled, it fails with everything returned',
      resting({ stage: 'refund', endingReason: 'expired_unfilled' }),
      given({ context: { events: refunded, attempt: filled(0n) } }),
      fails('expired_unfilled'),
    ],
    [
      'a part is logged only now, it is booked first',
      { ...order, deliveredContractMicros: 0n },
      given({
        deliveredTo: null,
        context: { parts, events: refunded, operations: operation('refund', 'sent') },
      }),
      { set: { deliveredContractMicros: 4_000_000n }, next: { kind: 'continue' } },
    ],
  ])('given that %s', (_, row, known, expected) => {
    expect(whole(decideRefund(row, known, NOW))).toMatchObject(expected);
  });
});
