import { describe, expect, test } from 'vitest';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { PlaceOrderOutcome } from '#server/exchange/port.ts';
import type { Facts } from './facts.ts';
import { decidePlace } from './place.ts';
import {
  ATTEMPT_ID,
  attempt,
  buy,
  facts,
  fill,
  fromNow,
  LOCKED,
  market,
  NOW,
  needs,
  operation,
  returns,
  sell,
  waits,
  whole,
} from './testing/given.ts';

type Row = [string, OrderRow, Facts, object];
const decide = (order: OrderRow, given: Facts) => whole(decidePlace(order, given, NOW));

const order = buy({ stage: 'place', status: 'validated' });
const continues = { from: 'place', operations: [], next: { kind: 'continue' } };
const known = (change: Partial<Facts['context']> = {}) => ({
  context: { events: LOCKED, ...change },
});
const free = { halt: null, isBeyondLimits: false } as const;
const open = { market: { market: market(), fee: { kind: 'waived' } } } as const;
const listed = (status: 'paused' | 'unopened' | 'closed' | 'settled') =>
  ({ market: { market: market({ status }), fee: { kind: 'waived' } } }) as const;
const STORED = { attempt: 1, shard: 2, limitPriceMicros: 600_000n, contractMicros: 10_000_000n };

describe('an order that was not sent to the exchange', () => {
  const reserved = buy({ ...order, roomReservedAt: NOW });
  test.each<Row>([
    ['its lock, it asks whether trading is halted', order, facts(known()), needs('halt')],
    [
      'no halt, it asks for limits',
      order,
      facts({ ...known(), halt: null }),
      needs('isBeyondLimits'),
    ],
    ['no limit, it asks for the market', order, facts({ ...known(), ...free }), needs('market')],
    [
      'an open market, room is reserved',
      order,
      facts({ ...known(), ...free, ...open }),
      needs('room', { placingMs: 93_000 }),
    ],
    [
      'room, the attempt is stored with the worst price that keeps the limit',
      order,
      facts({ ...known(), ...free, ...open, room: 'reserved' }),
      {
        ...continues,
        set: { status: 'executing' },
        events: [{ type: 'executing' }],
        attempt: { ...STORED, clientOrderId: ATTEMPT_ID, state: 'stored' },
      },
    ],
    [
      'room from before, none is asked for',
      reserved,
      facts({ ...known(), ...free, ...open }),
      { attempt: { state: 'stored' } },
    ],
    [
      'no room for now, it waits',
      order,
      facts({ ...known(), ...free, ...open, room: 'wait' }),
      waits(3_000),
    ],
    [
      'no room in its time, its funds go back',
      order,
      facts({ ...known(), ...free, ...open, room: { reason: 'no_delivery_room' } }),
      returns('no_delivery_room'),
    ],
    [
      'a refund on chain, it goes back',
      order,
      facts(known({ events: { ...LOCKED, refunded: LOCKED.requested } })),
      returns('refunded_on_chain'),
    ],
    [
      'too little time, its funds go back',
      buy({ ...order, expiresAt: fromNow(89_999) }),
      facts(known()),
      returns('expired'),
    ],
    [
      'a market that an admin halted, its funds go back',
      order,
      facts({ ...known(), halt: 'market_suspended' }),
      returns('market_suspended'),
    ],
    [
      'a limit that was lowered, its funds go back',
      order,
      facts({ ...known(), halt: null, isBeyondLimits: true }),
      returns('limit_reached'),
    ],
    [
      'a closed market, its funds go back',
      order,
      facts({ ...known(), ...free, ...listed('closed') }),
      returns('market_closed'),
    ],
    [
      'a settled market, its funds go back',
      order,
      facts({ ...known(), ...free, ...listed('settled') }),
      returns('market_closed'),
    ],
    [
      'a market that the exchange does not know, its funds go back',
      order,
      facts({ ...known(), ...free, market: { problem: 'market_not_found' } }),
      returns('market_not_found'),
    ],
    [
      'fees that are not known, its funds go back',
      order,
      facts({ ...known(), ...free, market: { problem: 'fee_unknown' } }),
      returns('exchange_refused'),
    ],
    [
      'a paused market, it waits',
      order,
      facts({ ...known(), ...free, ...listed('paused') }),
      waits(3_000),
    ],
    [
      'a market that is not open yet, it waits',
      order,
      facts({ ...known(), ...free, ...listed('unopened') }),
      waits(3_000),
    ],
    [
      'a paused market and room from before, it waits without the room',
      reserved,
      facts({ ...known(), ...free, ...listed('paused') }),
      { ...waits(3_000), set: { roomReservedAt: null } },
    ],
    [
      'a paused market ten minutes after its trigger price was reached, its funds go back',
      buy({
        ...order,
        expiresAt: fromNow(90 * 86_400_000),
        triggeredAt: fromNow(92_999 - 600_000),
      }),
      facts({ ...known(), ...free, ...listed('paused') }),
      returns('market_paused'),
    ],
    [
      'a paused market at its last chance, its funds go back',
      buy({ ...order, expiresAt: fromNow(92_999) }),
      facts({ ...known(), ...free, ...listed('paused') }),
      returns('market_paused'),
    ],
    [
      'no price within its limit, its funds go back',
      buy({ ...order, quoteLimitUsdcMicros: -1n }),
      facts({ ...known(), ...free, ...open }),
      returns('price_moved'),
    ],
    [
      'a lock that a fork took back, it waits for it',
      order,
      facts({ context: { operations: operation('request', 'sent') } }),
      waits(5_000),
    ],
    [
      'a lock that is lost, it goes back',
      order,
      facts({
        context: { operations: operation('request', 'failed', { failure: 'MarketSettled' }) },
        isKnownToVault: false,
      }),
      returns('market_closed'),
    ],
  ])('given %s', (_, row, given, decision) => {
    expect(decide(row, given)).toMatchObject(decision);
  });
});

describe('an attempt', () => {
  const unsent = { ...STORED, clientOrderId: ATTEMPT_ID, state: 'stored', storedAt: NOW } as const;
  const sends = needs('sent', { tradeAction: 'buy', attempt: { clientOrderId: ATTEMPT_ID } });
  const seconds = (age: number) => ({ storedAt: fromNow(-age * 1_000) });
  const lookUp = needs('lookedUp', { attempt: { clientOrderId: ATTEMPT_ID } });
  const storedAgain = {
    ...continues,
    response: { clientOrderId: ATTEMPT_ID, state: 'stored' },
  };
  const late = buy({ ...order, expiresAt: fromNow(89_999) });
  const returnedWith = (reason: Parameters<typeof returns>[0], response: object) => ({
    ...returns(reason),
    response: { clientOrderId: ATTEMPT_ID, ...response },
  });
  test.each<Row>([
    [
      'stored by this run, it is sent',
      order,
      facts({ ...known(), unsent: { ...unsent, isCurrent: true } }),
      sends,
    ],
    [
      'stored by this run and the order woken since, it is sent as it was read anew',
      order,
      facts({ ...known({ attempt: attempt('stored') }), unsent: { ...unsent, isCurrent: false } }),
      sends,
    ],
    [
      'stored by another run, it is looked up',
      order,
      facts(known({ attempt: attempt('stored') })),
      lookUp,
    ],
    [
      'of unknown outcome, it is looked up',
      order,
      facts(known({ attempt: attempt('unknown') })),
      lookUp,
    ],
    [
      'of unknown outcome for a moment, it is looked up again soon',
      order,
      facts({
        ...known({ attempt: attempt('unknown', seconds(2)) }),
        lookedUp: { kind: 'not_yet_known' },
      }),
      { kind: 'pause', pauseMs: 500 },
    ],
    [
      'of unknown outcome for long, it is looked up again later',
      order,
      facts({
        ...known({ attempt: attempt('unknown', seconds(8)) }),
        lookedUp: { kind: 'not_yet_known' },
      }),
      waits(2_000),
    ],
    [
      'found at the exchange, its response is recorded',
      order,
      facts({
        ...known({ attempt: attempt('unknown') }),
        lookedUp: { kind: 'ended', exchangeOrderId: 'exchange-1', filledContractMicros: 4n },
      }),
      {
        ...continues,
        response: {
          from: 'unknown',
          state: 'done',
          exchangeOrderId: 'exchange-1',
          filledContractMicros: 4n,
        },
      },
    ],
    [
      'proven absent, it is stored again',
      order,
      facts({ ...known({ attempt: attempt('unknown') }), ...free, lookedUp: { kind: 'absent' } }),
      storedAgain,
    ],
    [
      'proven absent with too little time left, the funds go back',
      late,
      facts({ ...known({ attempt: attempt('unknown') }), lookedUp: { kind: 'absent' } }),
      returnedWith('exchange_unavailable', { state: 'no_fill', code: 'absent' }),
    ],
    [
      'proven absent in a halted market, the funds go back',
      order,
      facts({
        ...known({ attempt: attempt('stored') }),
        halt: 'trading_paused',
        lookedUp: { kind: 'absent' },
      }),
      returnedWith('trading_paused', { state: 'no_fill', code: 'absent', from: 'stored' }),
    ],
    [
      'proven absent while the lock is awaited, it waits',
      order,
      facts({
        context: {
          attempt: attempt('unknown'),
          operations: operation('request', 'sent'),
        },
        lookedUp: { kind: 'absent' },
      }),
      waits(5_000),
    ],
    [
      'not taken for now, it is stored again',
      order,
      facts({ ...known({ attempt: attempt('refused') }), ...free }),
      storedAgain,
    ],
    [
      'not taken until it is too late, the funds go back',
      late,
      facts(known({ attempt: attempt('refused') })),
      returnedWith('exchange_unavailable', { state: 'no_fill' }),
    ],
    [
      'that filled nothing, the next one is stored under its own id',
      order,
      facts({ ...known({ attempt: attempt('no_fill') }), ...free, ...open, room: 'reserved' }),
      {
        ...continues,
        events: [],
        attempt: { clientOrderId: ATTEMPT_ID.replace(/1$/, '2'), attempt: 2 },
      },
    ],
    [
      'that finally filled nothing, the funds are returned',
      order,
      facts(known({ attempt: attempt('no_fill', { attempt: 20 }) })),
      returns('exchange_unavailable'),
    ],
    [
      'that the exchange ended unfilled, the funds go back',
      order,
      facts(known({ attempt: attempt('done', { filledContractMicros: 0n }) })),
      returns('price_moved'),
    ],
    [
      'that was filled, its fills are read',
      order,
      facts(known({ attempt: attempt('done', { filledContractMicros: 4n }) })),
      needs('fills'),
    ],
    [
      'whose fills do not show yet, they are read again',
      order,
      facts({ ...known({ attempt: attempt('done', { filledContractMicros: 4n }) }), fills: null }),
      { kind: 'pause', pauseMs: 250 },
    ],
    [
      'whose fills show, they are booked and the order is to be delivered',
      order,
      facts({
        ...known({ attempt: attempt('done', { filledContractMicros: 4_000_000n }) }),
        fills: [fill(4_000_000n, 500_000n)],
      }),
      {
        ...continues,
        set: {
          stage: 'deliver',
          filledContractMicros: 4_000_000n,
          quoteUsdcMicros: 2_000_000n,
          returnedUsdcMicros: 4_000_000n,
        },
        stamp: ['txnFilledAt'],
        events: [{ type: 'filled' }],
        postings: [{ name: 'trade' }],
        fills: [{ clientOrderId: ATTEMPT_ID, contractMicros: 4_000_000n }],
      },
    ],
  ])('%s', (_, row, given, decision) => {
    expect(decide(row, given)).toMatchObject(decision);
  });
});

describe('the response to an attempt', () => {
  const sent = (outcome: PlaceOrderOutcome) => ({
    sent: { attempt: { ...attempt('stored'), storedAt: NOW }, outcome },
  });
  const noFill = (reason: 'nothing_at_price' | 'price_not_allowed' | 'market_closed' | 'refused') =>
    facts({ ...known(), ...sent({ kind: 'no_fill', reason, code: 'why' }) });
  const done = sent({ kind: 'done', exchangeOrderId: 'x1', filledContractMicros: 4_000_000n });
  const recorded = (response: object) => ({
    response: { clientOrderId: ATTEMPT_ID, from: 'stored', ...response },
  });
  const bought = [fill(4_000_000n, 500_000n)];
  const nothing = sent({ kind: 'done', exchangeOrderId: 'x1', filledContractMicros: 0n });
  const ourFault = (code: string) =>
    facts({ ...known(), ...sent({ kind: 'our_fault', code, detail: 'of ours' }) });

  test.each<Row>([
    [
      'nothing at the price, the funds go back',
      order,
      noFill('nothing_at_price'),
      { ...returns('price_moved'), ...recorded({ state: 'no_fill', code: 'why' }) },
    ],
    [
      'a price that is not allowed, the funds go back',
      order,
      noFill('price_not_allowed'),
      returns('exchange_refused'),
    ],
    [
      'a closed market, the funds go back',
      order,
      noFill('market_closed'),
      returns('market_closed'),
    ],
    ['a refusal, the funds go back', order, noFill('refused'), returns('exchange_refused')],
    [
      'a wait under the same id, it is not taken for now',
      order,
      facts(sent({ kind: 'wait', code: 'paused', spent: false })),
      { ...waits(3_000), ...recorded({ state: 'refused', code: 'paused' }) },
    ],
    [
      'a wait under a new id, the attempt filled nothing',
      order,
      facts(sent({ kind: 'wait', code: 'paused', spent: true })),
      { ...waits(3_000), ...recorded({ state: 'no_fill', code: 'paused' }) },
    ],
    [
      'a wait until a time, it waits for that',
      order,
      facts(sent({ kind: 'wait', code: 'slow', spent: false, retryAt: fromNow(20_000) })),
      waits(20_000),
    ],
    [
      'a wait for hours, it tries within a minute',
      order,
      facts(sent({ kind: 'wait', code: 'slow', spent: false, retryAt: fromNow(7_200_000) })),
      waits(60_000),
    ],
    [
      'too little cash of ours, it waits for cash on the shard and an alert is raised',
      order,
      ourFault('INSUFFICIENT_BALANCE'),
      {
        ...waits(1_000),
        ...recorded({ state: 'no_fill', code: 'INSUFFICIENT_BALANCE' }),
        writes: [{ kind: 'raise_alert', alert: { kind: 'exchange_unfunded', subject: 'shard 2' } }],
      },
    ],
    [
      'another fault of ours, the funds go back and an alert is raised',
      order,
      ourFault('bad_key'),
      {
        ...returns('exchange_unavailable'),
        writes: [{ kind: 'raise_alert', alert: { kind: 'exchange_account' } }],
      },
    ],
    [
      'no answer, the outcome is unknown',
      order,
      facts(sent({ kind: 'unknown', code: 'timeout' })),
      { ...continues, ...recorded({ state: 'unknown', code: 'timeout' }) },
    ],
    [
      'done without a fill, the funds go back',
      order,
      facts(nothing),
      { ...returns('price_moved'), ...recorded({ state: 'done' }) },
    ],
    [
      'done with a fill, its fills are read with patience',
      order,
      facts({ ...known(), ...done }),
      needs('newFills', { timeoutMs: 1_000 }),
    ],
    [
      'done and fills that are late, the response alone is recorded',
      order,
      facts({ ...known(), ...done, isLate: true }),
      { ...continues, ...recorded({ state: 'done', exchangeOrderId: 'x1' }) },
    ],
    [
      'done and fills that do not all show, the response alone is recorded',
      order,
      facts({ ...known(), ...done, newFills: null }),
      { ...continues, ...recorded({ state: 'done' }) },
    ],
    [
      'done with its fills, a purchase is booked and its attestation and fill handed over',
      order,
      facts({ ...known(), ...done, newFills: bought }),
      {
        from: 'place',
        ...recorded({ state: 'done' }),
        set: { stage: 'deliver', filledContractMicros: 4_000_000n },
        events: [{ type: 'filled' }, { type: 'settling' }],
        operations: [{ kind: 'attest' }, { kind: 'fill' }],
        next: { kind: 'park' },
      },
    ],
    [
      'done with its fills, of a sale the fill alone is handed over',
      sell({ stage: 'place' }),
      facts({ ...known(), ...done, newFills: bought }),
      { set: { stage: 'deliver' }, operations: [{ kind: 'fill' }], next: { kind: 'park' } },
    ],
    [
      'done with its fills while the lock is not logged, nothing is handed over',
      order,
      facts({ ...done, newFills: bought }),
      { set: { stage: 'deliver' }, operations: [], next: { kind: 'continue' } },
    ],
    [
      'done after trouble with the account, a purchase ends both alerts',
      order,
      facts({ ...known({ isAccountBlocked: true }), ...done, newFills: bought }),
      {
        writes: [
          { alert: { kind: 'exchange_account' } },
          { alert: { kind: 'exchange_unfunded', subject: 'shard 2' } },
        ],
      },
    ],
    [
      'done after trouble with the account, a sale does not show that there is cash',
      sell(),
      facts({ ...known({ isAccountBlocked: true }), ...done, isLate: true }),
      { writes: [{ alert: { kind: 'exchange_account' } }] },
    ],
  ])('given %s', (_, row, given, decision) => {
    expect(decide(row, given)).toMatchObject(decision);
  });
});

describe('an attempt that was refused because its shard had too little cash', () => {
  const unfunded = (number = 1) =>
    attempt('no_fill', { attempt: number, code: 'insufficient_balance' });
  const refused = (number?: number) => ({ ...known({ attempt: unfunded(number) }), ...free });
  const late = buy({ ...order, expiresAt: fromNow(89_000) });
  test.each<Row>([
    ['nothing else, the cash is read', order, facts(refused()), needs('shardCash', { shard: 2 })],
    [
      'a halt while it waits, the funds go back',
      order,
      facts({ ...refused(), halt: 'trading_paused' }),
      returns('trading_paused'),
    ],
    [
      'cash that is on its way, it waits',
      order,
      facts({ ...refused(), shardCash: 'awaited' }),
      waits(1_000),
    ],
    [
      'no cash on any shard, the funds go back',
      order,
      facts({ ...refused(), shardCash: 'lacking' }),
      returns('exchange_unfunded'),
    ],
    [
      'cash that did not come in time, the funds go back',
      late,
      facts({ ...refused(), shardCash: 'awaited' }),
      returns('exchange_unfunded'),
    ],
    [
      'the fifth refusal, the funds go back',
      order,
      facts({ ...refused(5), shardCash: 'enough' }),
      returns('exchange_unfunded'),
    ],
    [
      'cash on the shard, the next attempt is stored',
      order,
      facts({ ...refused(), ...open, room: 'reserved', shardCash: 'enough' }),
      { ...continues, attempt: { ...STORED, attempt: 2, shard: 2, state: 'stored' } },
    ],
  ])('given %s', (_, row, given, decision) => {
    expect(decide(row, given)).toMatchObject(decision);
  });
});

describe('an order of a restored database', () => {
  const restored = {
    context: { events: LOCKED, mayPredateRestore: true, restoredAt: fromNow(-4_000) },
  };
  test.each<Row>([
    [
      'it may have been sent, it is looked up under its first id',
      order,
      facts(restored),
      needs('lookedUp', {
        attempt: { clientOrderId: ATTEMPT_ID, storedAt: fromNow(-4_000), code: null },
      }),
    ],
    [
      'the exchange cannot say yet, it is looked up again',
      order,
      facts({ ...restored, lookedUp: { kind: 'not_yet_known' } }),
      { kind: 'pause', pauseMs: 1_000 },
    ],
    [
      'it was never sent, it takes its usual way',
      order,
      facts({ ...restored, lookedUp: { kind: 'absent' } }),
      needs('halt'),
    ],
    [
      'the exchange has it, the attempt is stored as it is known there',
      order,
      facts({
        ...restored,
        lookedUp: { kind: 'ended', exchangeOrderId: 'x1', filledContractMicros: 4n },
      }),
      {
        ...continues,
        set: { status: 'executing' },
        attempt: { state: 'done', code: 'found_after_restore', filledContractMicros: 4n },
      },
    ],
  ])('given that %s', (_, row, given, decision) => {
    expect(decide(row, given)).toMatchObject(decision);
  });
});

describe('an order for an amount', () => {
  // 6 USDC at 60 cents or better.
  const spending = buy({
    ...order,
    action: { order: { sizedBy: 'maxQuoteQuantityIn' } },
  });
  const book = (...offers: [cents: number, contracts: bigint][]) => ({
    orderBook: {
      ticker: 'RAIN',
      yesBids: [],
      noBids: offers.map(([cents, contracts]) => ({
        priceMicros: 1_000_000n - BigInt(cents) * 10_000n,
        contractMicros: contracts * 1_000_000n,
      })),
    },
  });
  const nothing = (state: 'done' | 'no_fill', attemptNumber = 1) =>
    known({
      attempt: attempt(state, {
        attempt: attemptNumber,
        filledContractMicros: 0n,
        clientOrderId: ATTEMPT_ID.replace(/1$/, `${attemptNumber}`),
      }),
    });
  test.each<Row>([
    [
      'an open market, it asks for the book',
      spending,
      facts({ ...known(), ...free, ...open }),
      needs('orderBook'),
    ],
    [
      'a better price than its worst, the attempt buys more contracts for the same amount',
      spending,
      facts({ ...known(), ...free, ...open, ...book([50, 100n]), room: 'reserved' }),
      { attempt: { ...STORED, limitPriceMicros: 500_000n, contractMicros: 12_000_000n } },
    ],
    [
      'no offer at its worst price, the funds go back',
      spending,
      facts({ ...known(), ...free, ...open, ...book([61, 100n]) }),
      returns('price_moved'),
    ],
    [
      'a book that moved before the attempt arrived, it follows the book',
      spending,
      facts({ ...nothing('done'), ...free, ...open, ...book([55, 100n]), room: 'reserved' }),
      { attempt: { attempt: 2, limitPriceMicros: 550_000n, contractMicros: 10_900_000n } },
    ],
    [
      'four books that moved, the funds go back',
      spending,
      facts(nothing('done', 4)),
      returns('price_moved'),
    ],
  ])('given %s', (_, row, given, expected) => {
    expect(decide(row, given)).toMatchObject(expected);
  });

  test.each([
    ['done without a fill', { kind: 'done', exchangeOrderId: 'x1', filledContractMicros: 0n }],
    ['nothing at its price', { kind: 'no_fill', reason: 'nothing_at_price', code: 'c' }],
  ] as const)('given the response %s, it decides again by the new book', (_, outcome) => {
    const stored = { ...attempt('stored'), storedAt: NOW };
    expect(
      decide(spending, facts({ ...known(), sent: { attempt: stored, outcome } })),
    ).toMatchObject({ from: 'place', next: { kind: 'continue' }, set: {} });
  });
});
