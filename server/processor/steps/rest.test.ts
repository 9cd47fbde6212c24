import { describe, expect, test } from 'vitest';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { Facts } from './facts.ts';
import { decideRest } from './rest.ts';
import {
  ACCOUNT,
  account,
  atExchange,
  attempt,
  delivery,
  event,
  facts,
  fill,
  fromNow,
  LOCKED,
  market,
  NOW,
  needs,
  operation,
  part,
  resting,
  restingSale,
  submits,
  waits,
  whole,
} from './testing/given.ts';

const RESTS = attempt('resting', { exchangeOrderId: 'exchange-1', filledContractMicros: null });
const ended = (filledContractMicros: bigint) =>
  attempt('done', { exchangeOrderId: 'exchange-1', filledContractMicros });

type Given = NonNullable<Parameters<typeof facts>[0]>;
const given = ({ context, ...more }: Given = {}): Facts =>
  facts({ ...more, context: { events: LOCKED, attempt: RESTS, ...context } });

const trading = (multiplierMicros: bigint) =>
  ({
    market: market(),
    fee: { kind: 'quadratic', takerRateMicros: 70_000n, multiplierMicros },
  }) as const;
const CALM = {
  halt: null,
  isVaultPaused: false,
  account: account(),
  market: trading(1_000_000n),
} as const;
const filled = (contracts: bigint, more: Partial<OrderRow> = {}) =>
  resting({ filledContractMicros: contracts, quoteUsdcMicros: contracts / 2n, ...more });
const stored = (contracts: bigint) => fill(contracts, 500_000n);
const ends = (reason: string) => ({
  set: { endingReason: reason },
  events: [{ type: 'ending', detail: reason }],
  next: { kind: 'continue' },
});
const refunds = (reason: string) => ({
  set: { stage: 'refund', endingReason: reason },
  events: [{ type: 'returning', detail: reason }],
});

type Case = [string, OrderRow, Facts, object];

describe('follows the order at the exchange', () => {
  test.each<Case>([
    ['nothing is read yet, it reads the order', resting(), given(), needs('restingOrder')],
    [
      'the exchange does not show it yet, it reads again',
      resting(),
      given({ restingOrder: null }),
      { kind: 'pause' },
    ],
    [
      'it rests unfilled and nothing ends it, it waits for the feed',
      resting(),
      given({ restingOrder: atExchange(0n), ...CALM }),
      waits(300_000),
    ],
    [
      'the fee of a maker has risen within the lock, it rests on',
      resting(),
      given({ restingOrder: atExchange(0n), ...CALM, market: trading(2_000_000n) }),
      waits(300_000),
    ],
    [
      'its end is near, it waits until shortly after it',
      resting({ restsUntil: fromNow(10_000) }),
      given({ restingOrder: atExchange(0n), ...CALM }),
      waits(11_500),
    ],
    [
      'the exchange has filled more than the books, it reads the fills',
      resting(),
      given({ restingOrder: atExchange(4_000_000n) }),
      needs('restFills'),
    ],
    [
      'the fills are not listed yet, it waits for them',
      resting(),
      given({ restingOrder: atExchange(4_000_000n), restFills: { stored: [], listed: [] } }),
      { kind: 'pause', pauseMs: 250 },
    ],
    [
      'fills in any order, some stored before and one listed twice, each is recorded once',
      filled(1_000_000n),
      given({
        restingOrder: atExchange(4_000_000n),
        restFills: {
          stored: [stored(1_000_000n)],
          listed: [fill(3_000_000n, 550_000n), stored(1_000_000n), fill(3_000_000n, 550_000n)],
        },
      }),
      {
        set: {
          filledContractMicros: 4_000_000n,
          quoteUsdcMicros: 2_150_000n,
          deliversAt: fromNow(2_000),
        },
        fills: [{ fillId: 'fill-3000000' }],
        postings: [{ name: 'trade-4000000' }],
        response: { state: 'resting', from: 'resting', filledContractMicros: 4_000_000n },
        events: [{ type: 'traded', contractMicros: 3_000_000n }],
        operations: [],
      },
    ],
  ])('given that %s', (_, order, known, expected) => {
    expect(whole(decideRest(order, known, NOW))).toMatchObject(expected);
  });
});

describe('delivers in parts', () => {
  const due = filled(4_000_000n, { deliversAt: fromNow(-1) });
  const seen = { restingOrder: atExchange(4_000_000n), storedFills: [stored(4_000_000n)] };
  const totals = { filled: 4_000_000n, quote: 2_000_000n };
  test.each<Case>([
    [
      'a fill was recorded a moment ago, it gathers more',
      filled(4_000_000n, { deliversAt: fromNow(1_500) }),
      given(seen),
      waits(1_500),
    ],
    [
      'the moment is over, it attests and delivers the totals',
      due,
      given(seen),
      {
        ...submits(['attest', 1], ['fill', 1]),
        set: { quoteUsdcMicros: 2_000_000n, deliversAt: null },
        operations: [
          { kind: 'attest' },
          {
            kind: 'fill',
            args: { filledTotalMicros: '4000000', quoteTotalMicros: '2000000', isLast: false },
          },
        ],
      },
    ],
    [
      'a sale, it delivers without an attestation',
      restingSale({ filledContractMicros: 4_000_000n, deliversAt: fromNow(-1) }),
      given({
        restingOrder: atExchange(4_000_000n),
        storedFills: [fill(4_000_000n, 560_000n)],
      }),
      { operations: [{ kind: 'fill', args: { quoteTotalMicros: '2240000' } }] },
    ],
    [
      'a delivery under way, it waits for it whatever else has filled',
      filled(9_000_000n, { deliversAt: fromNow(-1) }),
      given({
        restingOrder: atExchange(9_000_000n),
        context: { operations: delivery('sent', totals) },
      }),
      waits(15_000),
    ],
    [
      'a delivery whose log is not read yet, it waits for the chain',
      due,
      given({ ...seen, context: { operations: delivery('succeeded', totals) } }),
      waits(5_000),
    ],
    [
      'the vault has delivered a part, it is booked with its own event, fee and posting',
      filled(4_000_000n),
      given({
        deliveredTo: ACCOUNT,
        context: {
          parts: [part(4_000_000n, 2_000_000n)],
          operations: delivery('succeeded', { ...totals, fee: 30_000n }),
        },
      }),
      {
        set: {
          deliveredContractMicros: 4_000_000n,
          deliveredQuoteUsdcMicros: 2_000_000n,
          deliveredFeeUsdcMicros: 30_000n,
        },
        postings: [{ name: 'lock' }, { name: 'deliver-4000000' }],
        events: [
          {
            type: 'partially_filled',
            transactionHash: '0xpart4000000',
            contractMicros: 4_000_000n,
            quoteUsdcMicros: 2_000_000n,
            feeUsdcMicros: 30_000n,
          },
        ],
      },
    ],
    [
      'its receiver has refused a part, the log says so and the order goes on',
      filled(4_000_000n),
      given({
        deliveredTo: 'claimable',
        context: { parts: [part(4_000_000n, 2_000_000n)] },
      }),
      {
        set: { deliveredContractMicros: 4_000_000n },
        events: [
          { type: 'receiver_refused', detail: 'claimable', transactionHash: '0xpart4000000' },
          { type: 'partially_filled' },
        ],
        next: { kind: 'continue' },
      },
    ],
    [
      'two parts are read together, the older one is booked first, without a fee',
      filled(6_000_000n),
      given({
        deliveredTo: ACCOUNT,
        context: {
          parts: [
            part(4_000_000n, 2_000_000n),
            part(6_000_000n, 3_100_000n, { filled: 4_000_000n, quote: 2_000_000n }),
          ],
        },
      }),
      {
        set: { deliveredContractMicros: 4_000_000n, deliveredFeeUsdcMicros: 0n },
        postings: [{ name: 'lock' }, { name: 'deliver-4000000' }],
        events: [{ type: 'partially_filled', contractMicros: 4_000_000n }],
      },
    ],
    [
      'more has filled since a part, the next states higher totals under the next attempt',
      filled(6_000_000n, {
        deliversAt: fromNow(-1),
        deliveredContractMicros: 4_000_000n,
        deliveredQuoteUsdcMicros: 2_000_000n,
      }),
      given({
        restingOrder: atExchange(6_000_000n),
        storedFills: [stored(4_000_000n), fill(2_000_000n, 550_000n)],
        context: {
          parts: [part(4_000_000n, 2_000_000n)],
          operations: {
            ...delivery('succeeded', totals),
            ...operation('attest', 'succeeded'),
          },
        },
      }),
      {
        operations: [
          { kind: 'attest', attempt: 2 },
          {
            kind: 'fill',
            attempt: 2,
            args: { filledTotalMicros: '6000000', quoteTotalMicros: '3100000' },
          },
        ],
      },
    ],
    [
      'a fork removed a part, its totals are delivered anew',
      filled(4_000_000n, { deliversAt: null, deliveredContractMicros: 0n }),
      given({
        ...seen,
        context: { operations: delivery('failed', totals, { failure: 'PriceOutsideLimit' }) },
      }),
      { operations: [{ kind: 'attest' }, { kind: 'fill', attempt: 2 }] },
    ],
    [
      'a stale attestation, both are sent again after a pause',
      due,
      given({
        ...seen,
        context: {
          operations: {
            ...delivery('failed', totals, { failure: 'BackingStale' }),
            ...operation('attest', 'succeeded'),
          },
        },
      }),
      {
        operations: [
          { kind: 'attest', attempt: 2 },
          { kind: 'fill', attempt: 2, args: { notBeforeMs: 5_000 } },
        ],
        writes: [{ kind: 'raise_alert', alert: { kind: 'delivery_failing' } }],
      },
    ],
    [
      'a failed attestation holds the fill, the attestation alone is tried again',
      due,
      given({
        ...seen,
        context: {
          operations: { ...delivery('ready', totals), ...operation('attest', 'failed') },
        },
      }),
      { operations: [{ kind: 'attest', attempt: 2 }] },
    ],
    [
      'the vault has booked these totals already, it waits for the log',
      due,
      given({
        ...seen,
        context: { operations: delivery('failed', totals, { failure: 'NothingNew' }) },
      }),
      waits(5_000),
    ],
    [
      'the vault can never fill it again, it ends',
      due,
      given({
        ...seen,
        context: { operations: delivery('failed', totals, { failure: 'MarketSettled' }) },
      }),
      ends('settled_too_late'),
    ],
    [
      'a fork removed the lock for now, nothing is delivered',
      due,
      given({ ...seen, context: { events: {}, operations: operation('request', 'sent') } }),
      waits(5_000),
    ],
  ])('given that %s', (_, order, known, expected) => {
    expect(whole(decideRest(order, known, NOW))).toMatchObject(expected);
  });
});

describe('ends', () => {
  const seen = { restingOrder: atExchange(0n) };
  test.each<Case>([
    ['its owner cancels it', resting({ cancelRequestedAt: NOW }), given(), ends('cancelled')],
    [
      'its owner ends it on chain',
      resting(),
      given({ context: { events: { ...LOCKED, ...event('end_requested') } } }),
      ends('ended_on_chain'),
    ],
    [
      'anyone has refunded it on chain',
      resting(),
      given({ context: { events: { ...LOCKED, ...event('refunded') } } }),
      ends('refunded_on_chain'),
    ],
    [
      'its end has passed and the exchange still has it',
      resting({ restsUntil: fromNow(-1_500) }),
      given(),
      ends('expired_unfilled'),
    ],
    [
      'an admin halts trading',
      resting(),
      given({ ...seen, halt: 'trading_paused' }),
      ends('trading_halted'),
    ],
    [
      'the vault is paused',
      resting(),
      given({ ...seen, halt: null, isVaultPaused: true }),
      ends('vault_paused'),
    ],
    [
      'a delivery failed because the vault is paused',
      filled(4_000_000n, { deliversAt: fromNow(-1) }),
      given({
        context: { operations: operation('fill', 'failed', { failure: 'VaultPaused' }) },
        restingOrder: atExchange(4_000_000n),
      }),
      ends('vault_paused'),
    ],
    [
      'the permission is revoked',
      resting(),
      given({ ...seen, ...CALM, account: account({ grant: undefined }) }),
      ends('permission_revoked'),
    ],
    [
      'a permission is no part of an order of the own wallet, it rests on',
      resting({ kind: 'calldata' }),
      given({ ...seen, halt: null, isVaultPaused: false, market: trading(1_000_000n) }),
      waits(300_000),
    ],
    [
      'the fee of a maker has risen beyond the lock',
      resting(),
      given({ ...seen, ...CALM, market: trading(3_000_000n) }),
      ends('fee_raised'),
    ],
    [
      'a waiver of the fee ends, for which nothing is locked',
      resting({ quoteLimitUsdcMicros: 5_500_000n }),
      given({ ...seen, ...CALM }),
      ends('fee_raised'),
    ],
    [
      'the fee of a maker would leave a sale less than its least',
      restingSale({ quoteLimitUsdcMicros: 5_320_000n }),
      given({ ...seen, ...CALM, market: trading(3_000_000n) }),
      ends('fee_raised'),
    ],
    [
      'a reduce-only purchase has less left to reduce than it wants',
      resting({ isReduceOnly: true }),
      given({ ...seen, ...CALM, reducibleMicros: 9_990_000n }),
      ends('nothing_to_reduce'),
    ],
    [
      'the lock is gone for good',
      resting(),
      given({
        context: {
          events: {},
          operations: operation('request', 'failed', { failure: 'MarketSettled' }),
        },
        isKnownToVault: false,
      }),
      ends('market_closed'),
    ],
  ])('given that %s', (_, order, known, expected) => {
    expect(whole(decideRest(order, known, NOW))).toMatchObject(expected);
  });

  const cancelled = resting({ endingReason: 'cancelled' });
  test.each<Case>([
    ['it must end, it is cancelled at the exchange', cancelled, given(), needs('cancelSent')],
    [
      'the exchange says what it took off, what was filled by then is awaited',
      cancelled,
      given({ cancelSent: { kind: 'cancelled', cancelledContractMicros: 3_000_000n } }),
      { response: { state: 'done', filledContractMicros: 7_000_000n } },
    ],
    [
      'an amendment may have changed its size, the order is read instead',
      { ...cancelled, amendStoredAt: NOW },
      given({ cancelSent: { kind: 'cancelled', cancelledContractMicros: 3_000_000n } }),
      needs('restingOrder'),
    ],
    [
      'the exchange has no such resting order, the order is read',
      cancelled,
      given({ cancelSent: { kind: 'not_resting', code: 'order_not_found' } }),
      needs('restingOrder'),
    ],
    [
      'the order is read as ended, its fills are awaited',
      cancelled,
      given({
        cancelSent: { kind: 'not_resting', code: 'order_not_found' },
        restingOrder: atExchange(10_000_000n, { hasEnded: true }),
      }),
      { response: { state: 'done', filledContractMicros: 10_000_000n } },
    ],
    [
      'the order is read as resting, it is read again',
      cancelled,
      given({
        cancelSent: { kind: 'not_resting', code: 'order_not_found' },
        restingOrder: atExchange(0n),
      }),
      { kind: 'pause' },
    ],
    [
      'the exchange is paused, it is cancelled later',
      cancelled,
      given({
        cancelSent: { kind: 'wait', code: 'exchange_is_paused', retryAt: fromNow(9_000) },
      }),
      waits(9_000),
    ],
    [
      'the outcome is unknown, it is cancelled again',
      cancelled,
      given({ cancelSent: { kind: 'unknown', code: 'timeout' } }),
      waits(500),
    ],
    [
      'our account may not cancel, an admin is told',
      cancelled,
      given({ cancelSent: { kind: 'our_fault', code: 'forbidden', detail: '' } }),
      { writes: [{ kind: 'raise_alert', alert: { kind: 'exchange_account' } }] },
    ],
  ])('given that %s', (_, order, known, expected) => {
    expect(whole(decideRest(order, known, NOW))).toMatchObject(expected);
  });

  test.each([
    ['for longer than reads lag', cancelled, 2_000],
    ['again, after it had failed before', { ...cancelled, failures: 1 }, 0],
  ])(
    'given an order that is neither cancelled nor shown as ended %s, fails',
    (_, order, pausedMs) => {
      const known = given({
        cancelSent: { kind: 'not_resting', code: 'order_not_found' },
        restingOrder: atExchange(0n),
        pausedMs,
      });
      expect(() => decideRest(order, known, NOW)).toThrow('does not cancel it: order_not_found');
    },
  );

  const over = (filledMicros: bigint, more = {}) =>
    given({ restingOrder: atExchange(filledMicros, { hasEnded: true, ...more }) });
  test.each<Case>([
    [
      'the exchange filled it whole',
      resting(),
      over(10_000_000n, { endReason: 'filled' }),
      { set: { endingReason: 'filled' }, response: { state: 'done' } },
    ],
    [
      'the exchange expired it',
      resting(),
      over(0n, { endReason: 'expired' }),
      { set: { endingReason: 'expired_unfilled' } },
    ],
    [
      'it met an order of ours',
      resting(),
      over(0n, { endReason: 'self_trade' }),
      { set: { endingReason: 'crosses_open_order' } },
    ],
    [
      'the exchange does not say why, the market is read',
      resting(),
      over(0n),
      needs('listedMarket'),
    ],
    [
      'its market has closed',
      resting(),
      { ...over(0n), listedMarket: market({ status: 'closed' }) },
      { set: { endingReason: 'market_ended' } },
    ],
    [
      'a market that reopens has dropped it, it is not placed again',
      resting(),
      { ...over(0n), listedMarket: market() },
      { set: { endingReason: 'exchange_ended' } },
    ],
    [
      'a post-only order that would have matched',
      resting({ isPostOnly: true }),
      { ...over(0n), listedMarket: market() },
      { set: { endingReason: 'post_only_would_cross' } },
    ],
  ])('at the exchange: given %s', (_, order, known, expected) => {
    expect(whole(decideRest(order, known, NOW))).toMatchObject(expected);
  });
});

describe('after its end', () => {
  const over = (filledMicros: bigint, more: Given = {}) =>
    given({ ...more, context: { attempt: ended(filledMicros), ...more.context } });
  const stopped = { endingReason: 'cancelled' };
  test.each<Case>([
    [
      'fills are missing, they are read',
      filled(4_000_000n, stopped),
      over(7_000_000n),
      needs('restFills'),
    ],
    [
      'nothing was filled, everything is refunded',
      resting(stopped),
      over(0n),
      refunds('cancelled'),
    ],
    [
      'all fills are recorded, the last part is delivered with the rest of the input',
      filled(4_000_000n, stopped),
      over(4_000_000n, { storedFills: [stored(4_000_000n)] }),
      {
        set: { stage: 'deliver' },
        operations: [{ kind: 'attest' }, { kind: 'fill', args: { isLast: true } }],
      },
    ],
    [
      'a part is under way, it is awaited first',
      filled(6_000_000n, stopped),
      over(6_000_000n, {
        context: { operations: delivery('sent', { filled: 4_000_000n, quote: 2_000_000n }) },
      }),
      waits(15_000),
    ],
    [
      'everything filled is delivered, the rest is refunded',
      filled(4_000_000n, { ...stopped, deliveredContractMicros: 4_000_000n }),
      over(4_000_000n, { context: { parts: [part(4_000_000n, 2_000_000n)] } }),
      refunds('cancelled'),
    ],
    [
      'the vault has refunded it, what is undelivered is the house’s',
      filled(4_000_000n, stopped),
      over(4_000_000n, { context: { events: { ...LOCKED, ...event('refunded') } } }),
      refunds('cancelled'),
    ],
    [
      'the vault has logged its last fill, it completes',
      filled(4_000_000n, stopped),
      over(4_000_000n, {
        deliveredTo: null,
        context: {
          events: {
            ...LOCKED,
            ...event('filled', {
              filledContractMicros: 4_000_000n,
              quoteUsdcMicros: 2_000_000n,
              filledTotalMicros: 4_000_000n,
              quoteTotalMicros: 2_000_000n,
              returnedMicros: 3_680_000n,
            }),
          },
        },
      }),
      {
        set: {
          status: 'completed',
          isComplete: true,
          filledContractMicros: 4_000_000n,
          quoteUsdcMicros: 2_000_000n,
          returnedUsdcMicros: 3_680_000n,
        },
        next: { kind: 'end' },
      },
    ],
  ])('given that %s', (_, order, known, expected) => {
    expect(whole(decideRest(order, known, NOW))).toMatchObject(expected);
  });
});

describe('amends', () => {
  const wish = { amendPriceMicros: 540_000n, amendContractMicros: 8_000_000n };
  const asked = resting(wish);
  const sent = (ms: number) => resting({ ...wish, amendStoredAt: fromNow(-ms) });
  const amended = {
    set: {
      limitPriceMicros: 540_000n,
      restingContractMicros: 8_000_000n,
      amendPriceMicros: null,
      amendContractMicros: null,
    },
    events: [{ type: 'amended', detail: '8 at 0.54' }],
  };
  const refused = (detail: string) => ({
    set: { amendPriceMicros: null, amendContractMicros: null },
    events: [{ type: 'amend_refused', detail }],
  });
  test.each<Case>([
    ['it is asked for, the new price is claimed', asked, given(), needs('priceClaim')],
    [
      'the new price meets an order of ours, it is refused',
      asked,
      given({ priceClaim: 'crosses' }),
      refused('crosses_open_order'),
    ],
    [
      'the price is free, it is stored with its signing time before it is sent',
      asked,
      given({ priceClaim: 'claimed' }),
      { stamp: ['amendStoredAt'], next: { kind: 'continue' } },
    ],
    [
      'it is stored, it is sent as price and whole size',
      sent(10),
      given(),
      needs('amendSent', {
        amendment: { limitPriceMicros: 540_000n, contractMicros: 8_000_000n },
      }),
    ],
    ['it is amended', sent(10), given({ amendSent: { kind: 'amended' } }), amended],
    [
      'the exchange refuses it',
      sent(10),
      given({ amendSent: { kind: 'refused', reason: 'price_not_allowed', code: 'x' } }),
      refused('price_not_allowed'),
    ],
    [
      'the order no longer rests',
      sent(10),
      given({ amendSent: { kind: 'not_resting', code: 'x' } }),
      refused('not_resting'),
    ],
    [
      'its outcome is unknown, it is sent again while it may be',
      sent(10),
      given({ amendSent: { kind: 'unknown', code: 'timeout' } }),
      waits(1_000),
    ],
    ['it is too old to be sent, the order is read', sent(21_000), given(), needs('restingOrder')],
    [
      'the order is read with the new price and size, it was amended',
      sent(21_000),
      given({
        restingOrder: atExchange(0n, {
          yesPriceMicros: 540_000n,
          remainingContractMicros: 8_000_000n,
        }),
      }),
      amended,
    ],
    [
      'it can no longer take effect and has not, it is refused',
      sent(46_000),
      given({ restingOrder: atExchange(0n) }),
      refused('exchange_unavailable'),
    ],
    [
      'it is cancelled meanwhile, the amendment is dropped',
      { ...asked, cancelRequestedAt: NOW },
      given(),
      { set: { endingReason: 'cancelled', amendPriceMicros: null } },
    ],
  ])('given that %s', (_, order, known, expected) => {
    expect(whole(decideRest(order, known, NOW))).toMatchObject(expected);
  });
});
