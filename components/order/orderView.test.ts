import { describe, expect, it } from 'vitest';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { clockTime } from '#lib/format/time.ts';
import {
  isMishap,
  orderDelayWords,
  orderSteps,
  orderSummary,
  orderTitle,
  parkedWords,
  partlyFilled,
  progressWords,
  statusWords,
  withToken,
} from './orderView.ts';
import { ACCOUNT, soldOrder as order } from './testing/orders.ts';

const locked = { balanceValidatedAt: '2026-11-21T05:00:01.000Z' };
const filled = { ...locked, txnFilledAt: '2026-11-21T05:00:02.000Z' };

const STOP = {
  price: '0.4',
  direction: 'below',
  source: 'bid',
  triggeredAt: null,
  seenPrice: null,
} as const;

const states = (part: Partial<OrderRecordWithEvents>) =>
  orderSteps({ ...order, ...part }).map((step) => step.state);

describe('orderSteps', () => {
  it('shows each step of the order with its time', () => {
    expect(states({})).toEqual(['done', 'current', 'waiting', 'waiting']);
    expect(states({ status: 'validated', ...locked })).toEqual([
      'done',
      'done',
      'current',
      'waiting',
    ]);
    expect(states({ status: 'executing', ...locked })).toEqual([
      'done',
      'done',
      'current',
      'waiting',
    ]);
    expect(states({ status: 'executing', ...filled })).toEqual(['done', 'done', 'done', 'current']);
    expect(states({ status: 'completed', isComplete: true, ...filled })).toEqual(
      Array(4).fill('done'),
    );
  });

  it('given a stop order, shows what it waits for, for as long as it takes', () => {
    const waiting = { ...order, status: 'validated' as const, ...locked, trigger: STOP };
    expect(orderSteps(waiting)[2]).toMatchObject({
      name: 'Waits for No bid at 40¢ or lower',
      state: 'resting',
    });
    expect(statusWords(waiting)).toBe('Waits for No bid at 40¢ or lower');
    expect(statusWords({ ...waiting, endReason: 'cancelled' })).toBe('Cancelling');
    expect(orderDelayWords(waiting, Date.parse(order.updatedAt) + 3_600_000)).toBeUndefined();
    const triggered = { ...STOP, triggeredAt: locked.balanceValidatedAt, seenPrice: '0.39' };
    expect(statusWords({ ...waiting, trigger: triggered })).toBe('Funds locked');
  });

  it('shows where a failed order ended', () => {
    expect(states({ status: 'failed', isComplete: true, ...locked })).toEqual([
      'done',
      'done',
      'failed',
      'waiting',
    ]);
    const cancelled = {
      status: 'failed',
      isComplete: true,
      terminationReason: 'cancelled',
    } as const;
    expect(states({ ...cancelled, ...locked })).toEqual(['done', 'done', 'left out', 'left out']);
  });

  it('reads the completion time from the event log', () => {
    const events = [{ type: 'completed', at: '2026-11-21T05:00:09.000Z' }];
    const steps = orderSteps({ ...order, status: 'completed', isComplete: true, events });
    expect(steps[3]?.at).toBe('2026-11-21T05:00:09.000Z');
  });
});

const redemption = { ...order, isRedemption: true };
const withdrawal: OrderRecordWithEvents = {
  ...order,
  action: {
    orderType: 'Withdraw',
    chainId: 8453,
    withdrawal: {
      amount: '1',
      tokenType: 'erc1155',
      tokenAddress: ACCOUNT,
      tokenId: '7',
      destinationAddress: ACCOUNT,
    },
  },
};

it('summarizes an order', () => {
  expect(orderSummary(order)).toEqual({
    verb: 'Sell',
    marketId: 'RAIN',
    side: 'no',
    what: '12.5 No',
  });
  expect(orderSummary(redemption)).toMatchObject({ verb: 'Redeem', what: '12.5 No' });
  expect(orderSummary(withdrawal)).toMatchObject({ verb: 'Withdraw', what: '1 contract' });
  const token = { marketId: 'RAIN', side: 'no' } as const;
  expect(withToken(orderSummary(withdrawal), withdrawal, token)).toEqual({
    verb: 'Withdraw',
    what: '1 No',
    ...token,
  });
});

it('titles an order by its outcome, and by its question where that names it', () => {
  const question = 'Fed decision?';
  const title = (outcome?: string) => orderTitle(orderSummary(order), { outcome, question });
  expect(title('Cut of 25 bps')).toBe('Cut of 25 bps · Sell 12.5 No');
  expect(title()).toBe('Fed decision? · Sell 12.5 No');
  expect(orderTitle(orderSummary(withdrawal), undefined)).toBe('Withdraw 1 contract');
});

it('given a payout, skips the exchange step', () => {
  const paid = { ...redemption, status: 'completed', isComplete: true, ...filled } as const;
  const names = ['Received', 'Checked', 'Paid out on chain'];
  expect(orderSteps(paid).map((step) => step.name)).toEqual(names);
  expect(orderSteps(paid).every((step) => step.state === 'done')).toBe(true);
  const underWay = { ...redemption, status: 'executing', ...locked } as const;
  expect(orderSteps(underWay).map((step) => step.state)).toEqual(['done', 'done', 'current']);
});

describe('statusWords', () => {
  it('mentions the exchange only for trades', () => {
    expect(statusWords({ ...order, status: 'executing' })).toBe('At the exchange');
    expect(statusWords({ ...redemption, status: 'executing' })).toBe('Paying out');
    expect(statusWords({ ...withdrawal, status: 'executing' })).toBe('Sending');
  });

  it('given a partial fill, does not say completed', () => {
    const partly = { ...order, status: 'completed', filledBaseQuantity: '4' } as const;
    expect(statusWords(partly)).toBe('Partially filled');
    expect(partlyFilled(partly)).toBe('4 of 12.5 contracts');
    const whole = { ...partly, filledBaseQuantity: '12.5' };
    expect(statusWords(whole)).toBe('Completed');
    expect(partlyFilled(whole)).toBeUndefined();
    expect(partlyFilled({ ...partly, status: 'executing' })).toBeUndefined();
  });
});

describe('progressWords', () => {
  const words = (part: Partial<Parameters<typeof progressWords>[0]>) =>
    progressWords({
      status: 'pending',
      source: 'api',
      terminationReason: null,
      kind: 'trade',
      ...part,
    });

  it('names the wallet or service it waits for', () => {
    expect(words({})).toBe('Received');
    expect(words({ source: 'calldata' })).toBe('Waiting for your signature');
    expect(words({ source: 'calldata', status: 'validated' })).toBe('Funds locked');
  });

  it('distinguishes cancelled from failed', () => {
    const cancelled = { status: 'failed', terminationReason: 'cancelled' } as const;
    expect(words(cancelled)).toBe('Cancelled');
    expect(isMishap(cancelled)).toBe(false);
    expect(words({ status: 'failed', terminationReason: 'price_moved' })).toBe('Failed');
    expect(isMishap({ status: 'failed', terminationReason: 'price_moved' })).toBe(true);
  });
});

describe('orderDelayWords', () => {
  const since = Date.parse(order.updatedAt);

  it('given a fast or ended order, returns nothing', () => {
    expect(orderDelayWords(order, since + 5_000)).toBeUndefined();
    expect(orderDelayWords({ ...order, isComplete: true }, since + 500_000)).toBeUndefined();
  });

  it('given a delayed order, says what it waits for', () => {
    expect(orderDelayWords(order, since + 60_000)).toContain('unfilled amount is returned');
    expect(orderDelayWords(withdrawal, since + 60_000)).toContain('stay in your account');
    const unsent = { ...order, source: 'calldata' as const };
    expect(orderDelayWords(unsent, since + 60_000)).toContain('not sent yet');
    const expiring = { ...unsent, expiresAt: '2026-11-21T05:15:00.000Z' };
    expect(orderDelayWords(expiring, since + 60_000)).toContain(
      `The order expires at ${clockTime(expiring.expiresAt)}`,
    );
  });
});

describe('parkedWords', () => {
  const open = {
    side: 'yes',
    status: 'validated',
    trigger: null,
    limitPrice: null,
    replacedBy: null,
  } as const;

  it('given a stop order, says what it waits for until the price is reached', () => {
    const waiting = { ...open, trigger: STOP, limitPrice: '0.35', restingSince: null };
    expect(parkedWords(waiting)).toBe('Waits for Yes bid at 40¢ or lower');
    const triggered = { ...STOP, triggeredAt: filled.txnFilledAt, seenPrice: '0.39' };
    expect(parkedWords({ ...waiting, trigger: triggered })).toBeUndefined();
    expect(parkedWords({ ...waiting, status: 'pending' })).toBeUndefined();
  });

  it('given a limit order, says where it rests', () => {
    const resting = { ...open, status: 'executing', limitPrice: '0.42' } as const;
    const since = locked.balanceValidatedAt;
    expect(parkedWords({ ...resting, restingSince: since })).toBe('Resting at 42¢');
    expect(parkedWords({ ...resting, restingSince: null })).toBeUndefined();
  });

  it('given an order that another one replaces, says so until and after its end', () => {
    const replaced = { ...open, limitPrice: '0.42', restingSince: null, replacedBy: order.id };
    expect(parkedWords(replaced)).toBe('Replacing');
    expect(parkedWords({ ...replaced, status: 'failed' })).toBe('Replaced');
  });
});
