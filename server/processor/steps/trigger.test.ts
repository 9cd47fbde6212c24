import { describe, expect, test } from 'vitest';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { ExchangeMarket } from '#server/exchange/port.ts';
import type { Facts } from './facts.ts';
import {
  account,
  event,
  facts,
  fromNow,
  LOCKED,
  market,
  NOW,
  needs,
  sell,
  waits,
  whole,
} from './testing/given.ts';
import { decideTrigger } from './trigger.ts';

const DAY_MS = 86_400_000;
/** A stop-loss: sells 10 Yes once they are bid 40¢ or less. */
const stop = (change: Partial<OrderRow> = {}) =>
  sell({
    status: 'validated',
    stage: 'trigger',
    triggerPriceMicros: 400_000n,
    triggerDirection: 'below',
    triggerSource: 'bid',
    restsUntil: fromNow(DAY_MS),
    expiresAt: fromNow(DAY_MS + 45 * 60_000),
    ...change,
  });

type Given = NonNullable<Parameters<typeof facts>[0]>;
const given = ({ context, ...more }: Given = {}): Facts =>
  facts({ ...more, context: { events: LOCKED, ...context } });
const trading = (status: ExchangeMarket['status'] = 'open') =>
  ({
    market: { market: market({ status }), fee: { kind: 'waived' } },
  }) as const;
const CALM = { halt: null, isVaultPaused: false, account: account() } as const;
const refunds = (reason: string) => ({
  from: 'trigger',
  set: { stage: 'refund', endingReason: reason },
  events: [{ type: 'returning', detail: reason }],
  next: { kind: 'continue' },
});
const released = { from: 'trigger', set: { stage: 'place' }, next: { kind: 'continue' } };
const RESTORED = { mayPredateRestore: true, restoredAt: fromNow(-1_000) };

type Case = [string, OrderRow, Facts, object];

describe('given a stop order', () => {
  test.each<Case>([
    [
      'whose price is not reached, it waits',
      stop(),
      given({ ...CALM, ...trading() }),
      waits(300_000),
    ],
    [
      'whose deadline is near, it looks again shortly after it',
      stop({ restsUntil: fromNow(10_000) }),
      given({ ...CALM, ...trading() }),
      waits(11_500),
    ],
    [
      'whose market closes soon, it looks again shortly after that',
      stop(),
      given({
        ...CALM,
        market: { ...trading().market, market: market({ closeAt: fromNow(60_000) }) },
      }),
      waits(61_500),
    ],
    [
      'whose price was reached, it looks whether it may still be placed',
      stop({ triggeredAt: NOW }),
      given(),
      needs('halt'),
    ],
    [
      'that may be placed, it is',
      stop({ triggeredAt: NOW }),
      given({ ...CALM, ...trading() }),
      released,
    ],
    ['of which the market is not read yet, it reads it', stop(), given(CALM), needs('market')],
    [
      'whose lock a fork has removed, it waits for the lock',
      stop(),
      given({ context: { events: {} }, userTransaction: null }),
      waits(5_000),
    ],
  ])('%s', (_, order, known, expected) => {
    expect(whole(decideTrigger(order, known, NOW))).toMatchObject(expected);
  });

  test.each<Case>([
    ['its owner cancels it', stop({ cancelRequestedAt: NOW }), given(), refunds('cancelled')],
    [
      'it is cancelled before it is released',
      stop({ cancelRequestedAt: NOW, triggeredAt: null }),
      given({ ...CALM, ...trading() }),
      refunds('cancelled'),
    ],
    [
      'its time is over',
      stop({ restsUntil: fromNow(-2_000) }),
      given(),
      refunds('expired_unfilled'),
    ],
    [
      'its owner asked the vault to end it',
      stop(),
      given({ context: { events: { ...LOCKED, ...event('end_requested') } } }),
      refunds('ended_on_chain'),
    ],
    [
      'the vault has returned its funds',
      stop(),
      given({ context: { events: { ...LOCKED, ...event('refunded') } } }),
      refunds('refunded_on_chain'),
    ],
    [
      'an admin halts its market',
      stop(),
      given({ ...CALM, halt: 'market_suspended' }),
      refunds('trading_halted'),
    ],
    [
      'the vault is paused',
      stop(),
      given({ ...CALM, isVaultPaused: true }),
      refunds('vault_paused'),
    ],
    [
      'its permission is revoked',
      stop(),
      given({ ...CALM, account: account({ grant: undefined }) }),
      refunds('permission_revoked'),
    ],
    [
      'its account holds less than it may reduce, though its price was reached',
      stop({ tradeAction: 'buy', isReduceOnly: true, triggeredAt: NOW }),
      given({ ...CALM, ...trading(), reducibleMicros: 9_999_999n }),
      refunds('nothing_to_reduce'),
    ],
    [
      'its market has closed',
      stop(),
      given({ ...CALM, ...trading('closed') }),
      refunds('market_closed'),
    ],
  ])('returns the funds when %s', (_, order, known, expected) => {
    expect(whole(decideTrigger(order, known, NOW))).toMatchObject(expected);
  });

  test.each<Case>([
    ['asks the exchange first', stop(), given({ context: RESTORED }), needs('lookedUp')],
    [
      'goes on where the exchange has the order',
      stop(),
      given({
        context: RESTORED,
        lookedUp: { kind: 'ended', exchangeOrderId: 'x', filledContractMicros: 1n },
      }),
      { ...released, stamp: ['triggeredAt'] },
    ],
    [
      'waits on where it has not',
      stop(),
      given({ ...CALM, context: RESTORED, lookedUp: { kind: 'absent' }, ...trading() }),
      waits(300_000),
    ],
  ])('after a restore %s', (_, order, known, expected) => {
    expect(whole(decideTrigger(order, known, NOW))).toMatchObject(expected);
  });
});
