import { describe, expect, test } from 'vitest';
import type { UnwindRecord } from '#server/domain/orders/lifecycle/unwinding.ts';
import type { OrderBook, PlaceOrderOutcome } from '#server/exchange/port.ts';
import type { Facts } from './facts.ts';
import {
  ACCOUNT,
  ATTEMPT_ID,
  attempt,
  buy,
  facts,
  fill,
  fromNow,
  market,
  NOW,
  needs,
  waits,
  whole,
} from './testing/given.ts';
import { decideUnwind, payoutPosting } from './unwind.ts';

/** An ended purchase of which the exchange has filled 4 contracts for 50 cents each. */
const order = buy({ stage: 'unwind', status: 'failed', isComplete: true, isUnwinding: true });
const FILLED = { filledContractMicros: 4_000_000n, exchangeOrderId: 'x1' };
const found = attempt('done', { ...FILLED, purpose: 'found' });
const UNWIND_ID = ATTEMPT_ID.replace(/1$/, 'u2');
const unwind = (state: Parameters<typeof attempt>[0], change = {}) =>
  attempt(state, { clientOrderId: UNWIND_ID, attempt: 2, purpose: 'unwind', ...change });

function booked(clientOrderId: string): UnwindRecord['fills'][0] {
  return {
    fillId: `fill-${clientOrderId}`,
    accountId: ACCOUNT,
    orderId: order.id,
    clientOrderId,
    ticker: 'RAIN',
    side: 'yes',
    tradeAction: 'buy',
    contractMicros: 4_000_000n,
    priceMicros: 500_000n,
    feeMicros: 0n,
    filledAt: NOW,
  };
}

const record = (attempts: UnwindRecord['attempts'], ...ids: string[]) => ({
  unwinding: { attempts, fills: ids.map(booked) },
});
const held = record([found], ATTEMPT_ID);
const book = (priceMicros: bigint, contractMicros: bigint): { orderBook: OrderBook } => ({
  orderBook: { ticker: 'RAIN', yesBids: [{ priceMicros, contractMicros }], noBids: [] },
});
const final = { payoutYesMicros: 0n, result: 'no', settledAt: NOW } as const;
const continues = { from: 'unwind', next: { kind: 'continue' } };
const alerted = (internalDetail: string) => ({
  kind: 'raise_alert',
  alert: { kind: 'order_unwinding', subject: order.id, internalDetail },
});
const LEFT = '4 yes contracts of RAIN';
const ended = (reason: string) => ({
  set: { stage: 'done', isUnwinding: false },
  writes: [
    { kind: 'resolve_alert', alert: { kind: 'order_unwinding', subject: order.id } },
    { kind: 'record_audit', entry: { action: 'unwind_ended', reason } },
  ],
  next: { kind: 'park', delayMs: 0 },
});
const waitsBecause = (why: string) => ({
  ...waits(30_000),
  writes: [alerted(`${LEFT}: ${why}`)],
});
const sent = (outcome: PlaceOrderOutcome) =>
  facts({ sent: { attempt: { ...unwind('stored'), storedAt: NOW }, outcome } });
const responded = (response: object) => ({
  response: { clientOrderId: UNWIND_ID, ...response },
});

describe('an order whose fill the house holds', () => {
  test.each<[string, Facts, object]>([
    ['nothing known, its attempts are read', facts(), needs('unwinding')],
    [
      'a found fill that is not booked, it is read',
      facts(record([found])),
      needs('fills', { attempt: { clientOrderId: ATTEMPT_ID } }),
    ],
    [
      'a found fill that does not show yet, it is read again',
      facts({ ...record([found]), fills: null }),
      { kind: 'pause', pauseMs: 250 },
    ],
    [
      'a found fill, it is booked as bought',
      facts({ ...record([found]), fills: [fill(4_000_000n, 500_000n)] }),
      {
        ...continues,
        fills: [{ clientOrderId: ATTEMPT_ID, tradeAction: 'buy' }],
        postings: [
          {
            name: 'found-1',
            lines: [{ account: 'treasury', asset: 'usdc', amountMicros: -2_000_000n }, {}, {}, {}],
          },
        ],
        writes: [
          { kind: 'book_payout', attempt: 1, tradeAction: 'buy', contractMicros: 4_000_000n },
          { kind: 'record_audit', entry: { action: 'unwind_booked' } },
        ],
      },
    ],
    [
      'a try that was filled, it is booked as sold',
      facts({
        ...record([found, unwind('done', FILLED)], ATTEMPT_ID),
        fills: [fill(4_000_000n, 450_000n)],
      }),
      {
        ...continues,
        fills: [{ clientOrderId: UNWIND_ID, tradeAction: 'sell' }],
        postings: [{ name: 'unwind-2' }],
        writes: [
          { kind: 'book_payout', attempt: 2, tradeAction: 'sell' },
          { kind: 'record_audit', entry: { action: 'unwind_traded' } },
        ],
      },
    ],
    [
      'a try of unknown outcome, it is looked up',
      facts(record([found, unwind('unknown')], ATTEMPT_ID)),
      needs('lookedUp', { attempt: { clientOrderId: UNWIND_ID } }),
    ],
    [
      'an attempt with an unknown outcome, it is looked up again',
      facts({
        ...record([found, unwind('stored', { storedAt: fromNow(-2_000) })], ATTEMPT_ID),
        lookedUp: { kind: 'not_yet_known' },
      }),
      { kind: 'pause', pauseMs: 500 },
    ],
    [
      'a try that is proven absent, it filled nothing',
      facts({ ...record([found, unwind('unknown')], ATTEMPT_ID), lookedUp: { kind: 'absent' } }),
      { ...continues, ...responded({ state: 'no_fill', code: 'absent' }) },
    ],
    [
      'a try that is found, its response is recorded',
      facts({
        ...record([found, unwind('unknown')], ATTEMPT_ID),
        lookedUp: { kind: 'ended', exchangeOrderId: 'x2', filledContractMicros: 4n },
      }),
      { ...continues, ...responded({ state: 'done', filledContractMicros: 4n }) },
    ],
    ['contracts to trade back, the market is read', facts(held), needs('listedMarket')],
    [
      'an open market, its book is read',
      facts({ ...held, listedMarket: market() }),
      needs('orderBook'),
    ],
    [
      'bids for part of it within the limit, a try for that part is stored',
      facts({ ...held, listedMarket: market(), ...book(400_000n, 3_000_000n) }),
      {
        ...continues,
        attempt: {
          clientOrderId: UNWIND_ID,
          attempt: 2,
          purpose: 'unwind',
          limitPriceMicros: 400_000n,
          contractMicros: 3_000_000n,
          state: 'stored',
        },
        writes: [alerted(LEFT)],
      },
    ],
    [
      'bids for more of it, a try for all of it is stored',
      facts({ ...held, listedMarket: market(), ...book(490_000n, 9_000_000n) }),
      { attempt: { contractMicros: 4_000_000n } },
    ],
    [
      'bids below the limit alone, it waits',
      facts({ ...held, listedMarket: market(), ...book(390_000n, 9_000_000n) }),
      waitsBecause('no match at 0.4 USDC'),
    ],
    [
      'a paused market, it waits',
      facts({ ...held, listedMarket: market({ status: 'paused' }) }),
      waitsBecause('the market is paused'),
    ],
    [
      'a market that is not listed, it waits',
      facts({ ...held, listedMarket: null }),
      waitsBecause('the market is not listed'),
    ],
    [
      'a market without prices, it waits',
      facts({ ...held, listedMarket: market({ priceRanges: [] }) }),
      waitsBecause('no price is allowed'),
    ],
    [
      'a settled market, it ends',
      facts({ ...held, listedMarket: market({ status: 'settled', final }) }),
      ended(`The market is settled; it pays for ${LEFT}.`),
    ],
    [
      'nothing left, it ends',
      facts(record([found, unwind('done', FILLED)], ATTEMPT_ID, UNWIND_ID)),
      ended('No position is left at the exchange.'),
    ],
  ])('given %s', (_, given, decision) => {
    expect(whole(decideUnwind(order, given, NOW))).toMatchObject(decision);
  });
});

describe('a try', () => {
  test.each<[string, Facts, object]>([
    [
      'that this run has stored, it is sent the other way round',
      facts({ unsent: { ...unwind('stored'), isCurrent: false } }),
      needs('sent', { tradeAction: 'sell', attempt: { clientOrderId: UNWIND_ID } }),
    ],
    [
      'that was carried out, its response is recorded',
      sent({ kind: 'done', exchangeOrderId: 'x2', filledContractMicros: 4n }),
      { ...continues, ...responded({ state: 'done', exchangeOrderId: 'x2' }) },
    ],
    [
      'without an answer, its outcome is unknown',
      sent({ kind: 'unknown', code: 'timeout' }),
      { ...continues, ...responded({ state: 'unknown', code: 'timeout' }), log: { level: 'warn' } },
    ],
    [
      'that nothing was offered for, it filled nothing and the next one waits',
      sent({ kind: 'no_fill', reason: 'nothing_at_price', code: 'none' }),
      { ...responded({ state: 'no_fill', code: 'none' }), next: { kind: 'park', delayMs: 30_000 } },
    ],
    [
      'that was refused for now, it filled nothing and the next one waits',
      sent({ kind: 'wait', code: 'paused', spent: false }),
      {
        ...responded({ state: 'no_fill', code: 'paused' }),
        next: { kind: 'park', delayMs: 30_000 },
      },
    ],
  ])('given one %s', (_, given, decision) => {
    expect(whole(decideUnwind(order, given, NOW))).toMatchObject(decision);
  });
});

test.each([
  ['bought', 'buy', [4_000_000n, 1_000_000n]],
  ['sold', 'sell', [-4_000_000n, -1_000_000n]],
] as const)(
  'given contracts that were %s after the payment for their market, the payment is booked with them',
  (_, tradeAction, [contractMicros, usdcMicros]) => {
    const trade = { attempt: 2, tradeAction, contractMicros: 4_000_000n };
    const { name, lines } = payoutPosting({ ticker: 'RAIN', side: 'yes' }, trade, 250_000n);
    const sumOf = (account: string, asset: string) =>
      lines
        .filter((line) => line.account === account && line.asset === asset)
        .reduce((sum, line) => sum + line.amountMicros, 0n);
    expect(name).toBe('paid-2');
    expect(sumOf('treasury', 'usdc')).toBe(usdcMicros);
    expect(sumOf('exchange', 'token:RAIN:yes')).toBe(contractMicros);
  },
);
